import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findBinaries, copyBinaries } from "./binaries";
import { findOwner } from "./owner";

let shelf = "";
beforeAll(async () => {
  shelf = await mkdtemp(path.join(os.tmpdir(), "hub-shelf-"));
  await chmod(shelf, 0o755);
});
afterAll(() => rm(shelf, { recursive: true, force: true }));

test("two concurrent hubs make one copy, which the Postgres user can execute", async () => {
  const { native } = await findBinaries();
  const umask = process.umask(0o077);
  const copies = await Promise.all([copyBinaries(native, shelf), copyBinaries(native, shelf)]);
  process.umask(umask);
  expect(copies[0]).toBe(copies[1]);
  expect(await readdir(shelf)).toEqual([path.basename(copies[0])]);
  const program = path.join(copies[0], "bin", "postgres");
  const { stdout } = await promisify(execFile)(program, ["--version"], { ...findOwner() });
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) \d+/);
});
