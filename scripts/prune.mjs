// Removes from a built clone what a hub does not need to run. In JavaScript, because the tools for TypeScript are removed too.
import { execFileSync } from "node:child_process";
import path from "node:path";
import { removeUnused } from "./image/remove-unused.mjs";

const root = path.resolve(import.meta.dirname, "..");
execFileSync("npm", ["prune", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
});
removeUnused(root);
