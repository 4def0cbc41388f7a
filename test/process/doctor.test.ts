import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { runDoctor } from "../../server/process/doctor/doctor";
import { checkVersions } from "../../server/process/doctor/check-settings";
import { emptyDatabase, testDatabase } from "../database";
import { reservePort } from "../reserve-port";
import { openMailServer } from "../mail-server";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-doctor-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const { db, url } = await testDatabase();
const mail = await openMailServer();
const closedPort = await reservePort();
const settings = {
  DATABASE_URL: url,
  HUB_SECRET: "a secret of at least thirty-two characters",
  HUB_DATA_DIR: folder,
  BASE_URL: "https://hub.example",
  TRUSTED_PROXIES: "10.0.0.1",
  SMTP_URL: mail.url,
};

async function examine(changes: Record<string, string> = {}): Promise<Record<string, string>> {
  const findings = await runDoctor({ ...settings, ...changes });
  expect(findings.every(({ status, remedy }) => (status === "ok") === (remedy === null))).toBe(true);
  return Object.fromEntries(findings.map(({ check, status, message }) => [check, `${status}: ${message}`]));
}

test("finds a healthy hub healthy, apart from an audit that was never run", async () => {
  const { node, audit, ...others } = await examine();
  expect(node).toContain(process.versions.node);
  expect(audit).toBe("warn: No audit was run yet");
  expect(Object.keys(others)).toEqual([
    "version",
    "settings",
    "disk",
    "mail",
    "database",
    "clock",
    "connections",
    "schema",
    "storage",
    "providers",
    "secret",
  ]);
  expect(Object.values(others).filter((text) => !text.startsWith("ok: "))).toEqual([]);
  expect(await db.query("SELECT FROM operator_action")).toEqual([]);
});

test("counts the connections of all processes of the hub", async () => {
  const { connections } = await examine({ HUB_PROCESSES: "16", DATABASE_POOL_SIZE: "100" });
  expect(connections).toMatch(/^fail: This hub uses up to 1728 of \d+ connections$/);
});

test("lists invalid settings, each with its name, and goes no further", async () => {
  const findings = await runDoctor({ ...settings, PORT: "x", EUR_PER_USD: "-1" });
  const failed = findings.filter(({ status }) => status === "fail").map(({ message }) => message);
  expect(failed).toEqual([expect.stringMatching(/^PORT: /), expect.stringMatching(/^EUR_PER_USD: /)]);
  expect(findings.some(({ check }) => check === "database")).toBe(false);
});

test("says what cannot be reached, never with a password", async () => {
  const found = await examine({
    DATABASE_URL: `postgres://hub:pass-word@127.0.0.1:${closedPort}/hub`,
    SMTP_URL: `smtp://user:pass-word@127.0.0.1:${closedPort}`,
  });
  expect(found.database).toMatch(/^fail: Cannot reach the database hub at 127\.0\.0\.1/);
  expect(found.mail).toMatch(/^fail: .*ECONNREFUSED/);
  expect(JSON.stringify(found)).not.toContain("pass-word");

  const bucket = {
    STORAGE_S3_BUCKET: "nothing",
    STORAGE_S3_ENDPOINT: `http://127.0.0.1:${closedPort}`,
    STORAGE_S3_ACCESS_KEY_ID: "key",
    STORAGE_S3_SECRET_ACCESS_KEY: "pass-word",
  };
  expect((await examine(bucket)).storage).toMatch(/^fail: /);
  const inngest = { INNGEST_DEV: `http://127.0.0.1:${closedPort}` };
  expect((await examine(inngest)).inngest).toMatch(/^fail: The Inngest server at .* does not answer\./);
});

test("warns of settings that are rarely meant, and of a schema that the next start changes", async () => {
  const found = await runDoctor({ ...settings, BASE_URL: "", TRUSTED_PROXIES: "", SANDBOX: "on" });
  expect(found.filter(({ check }) => check === "settings").map(({ message }) => message)).toEqual([
    "BASE_URL is http://localhost:3000, which only this machine reaches",
    "The sandbox's models are on offer",
  ]);
  expect((await examine({ DATABASE_URL: await emptyDatabase() })).schema).toBe("warn: The database is empty");
  const newer = await testDatabase();
  await newer.db.query("UPDATE _prisma_migrations SET migration_name = '20990101000000_later' WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)"); // prettier-ignore
  expect((await examine({ DATABASE_URL: newer.url })).schema).toBe("fail: The database has 1 newer migrations");
});

test("checks storage, job engine and providers of a hub that was never started", async () => {
  const bucket = { STORAGE_S3_BUCKET: "nothing", STORAGE_S3_ENDPOINT: `http://127.0.0.1:${closedPort}` };
  const credentials = { STORAGE_S3_ACCESS_KEY_ID: "key", STORAGE_S3_SECRET_ACCESS_KEY: "pass-word" };
  const catalogue = { HUB_CATALOGUE: path.join(folder, "models.yaml"), INNGEST_DEV: `http://127.0.0.1:${closedPort}` };
  const broken = { ...bucket, ...credentials, ...catalogue };
  await writeCatalogue();
  const never = { HUB_DATA_DIR: path.join(folder, "never"), SMTP_URL: "" };
  const embedded = { ...never, HUB_SECRET: "", DATABASE_URL: "" };
  for (const kind of [{ ...never, DATABASE_URL: await emptyDatabase() }, embedded]) {
    const found = await examine({ ...kind, ...broken });
    expect([found.storage, found.inngest]).toEqual([
      expect.stringMatching(/^fail: /),
      expect.stringMatching(/^fail: The Inngest server at .* does not answer\./),
    ]);
    expect(found["provider own"]).toBe("fail: OPENAI_NO_SUCH_KEY is not set.");
    expect((await examine(kind)).storage).toBe("ok: disk: the first start makes its folder");
  }
  expect(await readdir(folder)).not.toContain("never");
});

async function writeCatalogue(): Promise<string> {
  const file = path.join(folder, "models.yaml");
  const provider = '{ id: own, kind: openai, base_url: "https://example.org/v1", api_key: "${OPENAI_NO_SUCH_KEY}" }';
  const price = "{ input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }";
  const model = `{ id: house-text, llm: ${price}, routes: [{ provider: own, upstream_model: text }] }`;
  await writeFile(file, `providers: [${provider}]\nmodels: [${model}]\n`);
  return file;
}

test("asks providers for their keys", async () => {
  expect((await examine({ HUB_CATALOGUE: await writeCatalogue() }))["provider own"]).toBe(
    "fail: OPENAI_NO_SUCH_KEY is not set.",
  );
  expect(await db.query("SELECT FROM offered_model WHERE id = 'house-text'")).toEqual([]);
});

test("an embedded hub that was never started is not made, and its secret must be its own", async () => {
  const dataDir = path.join(folder, "embedded");
  await mkdir(dataDir);
  const embedded = { HUB_DATA_DIR: dataDir, HUB_SECRET: "", DATABASE_URL: "", SMTP_URL: "" };
  expect((await examine(embedded)).database).toBe("ok: The hub brings its own Postgres, which its first start makes");
  await writeFile(path.join(dataDir, "secret"), "x");
  await chmod(path.join(dataDir, "secret"), 0o644);
  expect((await examine(embedded)).secret).toMatch(/^fail: .* can be read by other users$/);
  const missing = { ...embedded, HUB_DATA_DIR: path.join(folder, "none") };
  expect((await examine(missing))["data directory"]).toMatch(/^warn: .* does not exist$/);
});

test("warns of a Node without security fixes", () => {
  expect(checkVersions("20.20.2")[1]).toMatchObject({ check: "node", status: "warn" });
  expect(checkVersions("24.1.0")[1]).toMatchObject({ check: "node", status: "ok" });
});
