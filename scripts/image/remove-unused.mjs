import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** What a running hub never loads, by folder: caches of the build, its compilers, and tools that are peers of packages. */
const unused = {
  ".next": /^(cache|types|diagnostics|trace.*)$/,
  node_modules: /^(\.cache|\.vite.*|typescript|@types|@playwright|playwright.*)$/,
  "node_modules/@next": /^swc-/,
};
/** Binaries for another C library. */
const unusedOnGlibc = { "node_modules/@img": /musl/, "node_modules/@node-rs": /musl/ };
/** Source maps, type declarations and the compiler's build state. */
const UNUSED_FILE = /\.map$|\.d\.[cm]?ts$|\.tsbuildinfo$/;

/**
 * Removes from a hub that is built and pruned what it does not need to run. It cannot build afterwards.
 * @param {string} root
 */
export function removeUnused(root) {
  const isGlibc = Boolean(process.report.getReport().header.glibcVersionRuntime);
  for (const [folder, pattern] of Object.entries(isGlibc ? { ...unused, ...unusedOnGlibc } : unused))
    removeMatching(path.join(root, folder), pattern, {});
  for (const folder of ["node_modules", ".next"])
    removeMatching(path.join(root, folder), UNUSED_FILE, { recursive: true });
}

/**
 * @param {string} folder
 * @param {RegExp} pattern
 * @param {{ recursive?: boolean }} options
 */
function removeMatching(folder, pattern, options) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder, { ...options, encoding: "utf8" }))
    if (pattern.test(name)) rmSync(path.join(folder, name), { recursive: true, force: true });
}
