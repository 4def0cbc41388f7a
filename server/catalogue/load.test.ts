import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "../../test/database";
import { applyCatalogue, CATALOGUE_CHANNEL } from "./apply";
import { loadCatalogue } from "./load";

const { db } = await testDatabase();
const options = { now: new Date(0), env: { SANDBOX: "on" as const } };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "hub-catalogue-"));
});
afterAll(() => rm(folder, { recursive: true }));

let logged = "";
const log = pino(new Writable({ write: (chunk: Buffer, _, done) => ((logged += chunk.toString()), done()) }));
const load = (HUB_CATALOGUE?: string, variables: Record<string, string> = {}, now = new Date()) =>
  loadCatalogue({ db, env: { HUB_CATALOGUE, SANDBOX: "on" }, log, now: () => now }, variables);
const catalogue = (id: string, key = "plain") => `
providers: [{ id: up, kind: openai, base_url: "https://up.example", api_key: "${key}" }]
models:
  - id: ${id}
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }
    routes: [{ provider: up, upstream_model: x }]
`;

test("loads the sandbox first, then the newest revision, or a file in its place", async () => {
  const alone = [...(await load()).keys()];
  expect(alone).toContain("sandbox-image");
  await applyCatalogue(db, catalogue("first"), options);
  await applyCatalogue(db, catalogue("second"), options);
  expect([...(await load()).keys()]).toEqual([...alone, "second"]);

  const file = path.join(folder, "own.yaml");
  await writeFile(file, catalogue("third"));
  expect([...(await load(file)).keys()]).toEqual([...alone, "third"]);
});

test("rejects an invalid catalogue, and an invalid or missing file, in one sentence", async () => {
  const before = await db.query("SELECT FROM catalogue_revision");
  await expect(applyCatalogue(db, "models: 7", { ...options, file: "own.yaml" })).rejects.toThrow(
    "own.yaml:1: models: must be a list",
  );
  await expect(applyCatalogue(db, catalogue("sandbox-image"), options)).rejects.toThrow("sandbox model");
  expect(await db.query("SELECT FROM catalogue_revision")).toHaveLength(before.length);

  const absent = path.join(folder, "absent.yaml");
  await expect(load(absent)).rejects.toThrow(`${absent}: cannot be read (ENOENT)`);
});

test("logs one warning for a missing variable, and never logs a value", async () => {
  const file = path.join(folder, "secret.yaml");
  await writeFile(file, catalogue("mine", "${OPENAI_A_KEY}"));
  logged = "";
  expect((await load(file)).get("mine")!.routes[0]!.provider).toMatchObject({
    apiKey: null,
    missing: ["OPENAI_A_KEY"],
  });
  expect(logged.split("\n").filter(Boolean)).toHaveLength(1);
  expect(logged).toContain("provider up is left out: OPENAI_A_KEY is not set");

  logged = "";
  const message = await load(file, { OPENAI_A_KEY: "se cret" }).then(
    () => "none",
    (error: Error) => error.message,
  );
  expect(message).toMatch(/api_key: must be printable characters without spaces$/);
  expect((await load(file, { OPENAI_A_KEY: "s3cret" })).get("mine")!.routes[0]!.provider.apiKey).toBe("s3cret");
  expect(logged + message).not.toMatch(/s3cret|se cret/);
});

test("keeps the time when a model was first offered, even after it was removed", async () => {
  const loadAt = async (id: string, hour: number) => {
    await applyCatalogue(db, catalogue(id), options);
    // Two processes load the same catalogue at the same time.
    const later = new Date(Date.UTC(2027, 0, 1, hour));
    const [first, second] = await Promise.all([load(undefined, {}, later), load(undefined, {}, later)]);
    expect(first.get(id)!.firstOfferedAt).toEqual(second.get(id)!.firstOfferedAt);
    return first.get(id)!.firstOfferedAt.getUTCHours();
  };
  expect([await loadAt("old", 1), await loadAt("new", 2), await loadAt("old", 3)]).toEqual([1, 2, 1]);
});

test("notifies running hubs of a new catalogue once they can read it", async () => {
  const client = await db.pool.connect();
  try {
    await client.query(`LISTEN ${CATALOGUE_CHANNEL}`);
    const receivedRevision = once(client, "notification");
    const revision = await applyCatalogue(db, catalogue("revised"), options);
    expect(await receivedRevision).toMatchObject([{ payload: String(revision) }]);
  } finally {
    client.release(true);
  }
});
