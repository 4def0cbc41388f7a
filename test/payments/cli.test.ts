import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { createProgram } from "../../server/cli/program";
import { testDatabase } from "../database";

const dataDir = await mkdtemp(path.join(os.tmpdir(), "hub-payments-"));
const { db, url } = await testDatabase();
vi.stubEnv("DATABASE_URL", url);
vi.stubEnv("HUB_DATA_DIR", dataDir);
// Vite sets it to "/".
vi.stubEnv("BASE_URL", "http://localhost:3000");
vi.stubEnv("HUB_SECRET", "a secret of at least thirty-two characters");
const printed = vi.spyOn(process.stdout, "write").mockReturnValue(true);
afterAll(async () => {
  vi.unstubAllEnvs();
  printed.mockRestore();
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs a command and returns its JSON. */
async function run<T>(...values: string[]): Promise<T> {
  printed.mockClear();
  await (await createProgram(values[0])).parseAsync([...values, "--json"], { from: "user" });
  return JSON.parse(printed.mock.calls.map(([text]) => String(text)).join("")) as T;
}
const anna = ["--email", "anna@example.org"];
const balance = async () => {
  const [row] = await db.query<{ balance: bigint }>("SELECT balance FROM account WHERE email = 'anna@example.org'");
  return Number(row!.balance) / 1e9;
};

test("a recorded payment is listed and refunded in parts, never beyond what is left or was spent", async () => {
  await run("account", "create", ...anna, "--password", "correct horse");
  const transfer = [...anna, "--amount", "100", "--tax", "19", "--reference", "invoice-1"];
  const { id } = await run<{ id: string }>("payment", "record", ...transfer);
  expect(await run("payment", "record", ...transfer)).toMatchObject({ id, recorded: false });
  await expect(run("payment", "record", ...transfer.with(3, "90"))).rejects.toThrow("reference");
  expect(await run("payment", "list", ...anna, "--state", "paid")).toMatchObject({
    payments: [{ id, refundable: 119 }],
  });
  expect(await run("payment", "list", "--state", "pending")).toEqual({ payments: [] });

  const refund = (...values: string[]) =>
    run("payment", "refund", "--payment", id, "--reason", "paid twice", ...values);
  expect(await refund("--amount", "11.90")).toMatchObject({
    state: "partially_refunded",
    reversed: 10,
    refundable: 107.1,
  });
  expect(await balance()).toBe(90);
  await expect(refund("--amount", "107.11")).rejects.toThrow("at most 107.1 EUR");
  await expect(refund("--amount", "0.001")).rejects.toThrow("two decimal places");
  await expect(refund("--amount", "0")).rejects.toThrow("above 0");
  await run("credit", "grant", ...anna, "--amount", "-50", "--reference", "correction");
  await expect(refund()).rejects.toThrow("it was spent");
  expect(await balance()).toBe(40);
  await run("credit", "grant", ...anna, "--amount", "50", "--reference", "back");
  expect(await refund()).toMatchObject({ state: "refunded", refundable: 0 });
  await expect(refund()).rejects.toThrow("at most 0 EUR");
  expect(await balance()).toBe(0);
  for (const unknown of ["00000000-0000-7000-8000-000000000000", "nonsense"])
    await expect(run("payment", "refund", "--payment", unknown, "--reason", "test")).rejects.toThrow("no such payment");
  expect(await run("payment", "reconcile", "--payment", id)).toMatchObject({ id, state: "refunded" });
  expect(await run("audit")).toMatchObject({ violations: [] });
});
