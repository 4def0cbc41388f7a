import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";

const run = promisify(execFile);
const program = path.resolve("scripts/changed-tests.mjs");
const folder = await mkdtemp(path.join(os.tmpdir(), "hub-changed-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), text);
}
const git = (...values: string[]) =>
  run("git", ["-c", "user.name=x", "-c", "user.email=x@example.org", ...values], { cwd: folder });

/** Makes these changes, returns what the changes since the last commit reach, and drops them. */
async function findReached(change: Record<string, string>, maxSeconds = 90) {
  for (const [name, text] of Object.entries(change)) await write(name, text);
  const script = `
    import { findChangedTests } from ${JSON.stringify(program)};
    console.log(JSON.stringify(findChangedTests("HEAD", ${maxSeconds})));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  await git("checkout", "--quiet", ".");
  return JSON.parse(stdout) as { tests: string[]; journeys: string[]; left: number };
}

for (const name of ["app", "inngest", "test", "scripts"]) await write(`${name}/.keep`, "");
await write("server/near.ts", "export const near = 1;");
await write("server/far.ts", 'export * from "./near";');
await write("server/near.test.ts", 'import { near } from "./near";');
await write("server/far.test.ts", 'import { near } from "./far";');
await write("server/near.soak.test.ts", 'import { near } from "./near";');
await write("server/types.test.ts", 'import type { near } from "./near";');
await write("prisma/migrations/1/migration.sql", "SELECT 1;");
await write("test/schema/drift.test.ts", "");
await write("app/(console)/keys/page.tsx", "");
await write("e2e/keys.spec.ts", 'page.goto("/keys");');
await write("e2e/keys.soak.spec.ts", 'page.goto("/keys");');
await write("e2e/files.spec.ts", 'page.goto("/files");');
await write("e2e/console.spec.ts", "");
await git("init", "--quiet");
await git("add", ".");
await git("commit", "--quiet", "-m", "x");

test("finds the tests whose imports lead to a change, nearest first, as far as there is time", async () => {
  const change = { "server/near.ts": "export const near = 2;" };
  expect(await findReached(change)).toEqual({
    tests: ["server/near.test.ts", "server/far.test.ts"],
    journeys: [],
    left: 0,
  });
  expect(await findReached(change, 3)).toEqual({ tests: ["server/near.test.ts"], journeys: [], left: 1 });
});

test("finds the tests that read a folder without importing from it", async () => {
  const { tests } = await findReached({ "prisma/migrations/1/migration.sql": "SELECT 2;" });
  expect(tests).toEqual(["test/schema/drift.test.ts"]);
});

test("finds the journeys that visit a page that changed, then the shared ones", async () => {
  const { journeys } = await findReached({ "app/(console)/keys/page.tsx": "// x" });
  expect(journeys).toEqual(["e2e/keys.spec.ts", "e2e/console.spec.ts"]);
});
