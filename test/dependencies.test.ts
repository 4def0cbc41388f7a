import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { satisfies } from "semver";
import { expect, onTestFinished, test } from "vitest";
import { removeUnused } from "../scripts/image/remove-unused.mjs";

interface LockEntry {
  version: string;
  integrity?: string;
  inBundle?: boolean;
  license?: string;
  /** Packages that only tools need. */
  dev?: boolean;
  os?: string[];
  engines?: { node?: string };
}

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, never>>;
const manifest = readJson("package.json");
const locked = Object.entries(readJson("package-lock.json").packages as Record<string, LockEntry>).filter(
  ([place]) => place !== "",
);

/** The oldest Node of each release line that CI runs. */
const NODE_VERSIONS = ["20.19.0", "22.13.0", "24.0.0"];
/** Packages of which the build bundles a small part into `dist`; node_modules in production does not contain them. */
const BUNDLED = ["gpt-tokenizer"];

test("every package in the lock file has an integrity hash", () => {
  expect(locked.length).toBeGreaterThan(500);
  // A bundled package is part of its parent's archive.
  expect(locked.flatMap(([place, entry]) => (entry.integrity || entry.inBundle ? [] : [place]))).toEqual([]);
});

test("package.json names exact versions, and nothing runs as CI and images install packages", () => {
  const named = { ...manifest.dependencies, ...manifest.devDependencies } as Record<string, string>;
  const exact = /^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
  expect(Object.entries(named).filter(([, version]) => !exact.test(version))).toEqual([]);
  for (const file of ["Dockerfile", ".ci/run"]) {
    const installs = readFileSync(file, "utf8").match(/\bnpm ci\b.*/g)!;
    expect(installs.filter((command) => !command.includes("--ignore-scripts"))).toEqual([]);
  }
});

/** Licenses that require no more than the notice in each package's own folder. */
const PERMISSIVE = ["MIT", "MIT-0", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"];

test("NOTICE names the packages in production whose licenses require more than their own text", () => {
  const notice = readFileSync("NOTICE", "utf8");
  const demanding = locked.flatMap(([place, { dev, license = "none" }]) => {
    const licenses = dev ? [] : license.replace(/[()]/g, "").split(/ (?:AND|OR) /);
    const name = place.split("node_modules/").at(-1)!;
    return licenses.filter((each) => !PERMISSIVE.includes(each)).map((each) => ({ name, license: each }));
  });
  expect(demanding).toContainEqual({ name: "caniuse-lite", license: "CC-BY-4.0" });
  // Packages of one library for several platforms are named once.
  const library = (name: string) => name.replace(/^@img\/(sharp)-.*/, "$1");
  expect(demanding.filter((each) => !notice.includes(library(each.name)) || !notice.includes(each.license))).toEqual(
    [],
  );
});

test("pruning removes exactly what a hub does not need to run", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "hub-prune "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const needed = [
    "node_modules/next/index.js",
    "node_modules/@next/env/index.js",
    ".next/server/page.js",
    "dist/main.js.map",
  ];
  const unneeded = [
    "node_modules/next/index.js.map",
    "node_modules/pg/lib/index.d.ts",
    "node_modules/@next/swc-linux-x64-gnu/a",
    "node_modules/typescript/a",
    "node_modules/playwright-core/a",
    ".next/cache/a",
    ".next/trace",
  ];
  for (const file of [...needed, ...unneeded]) {
    mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(folder, file), "");
  }
  removeUnused(folder);
  const left = [...needed, ...unneeded].filter((file) => existsSync(path.join(folder, file)));
  expect(left).toEqual(needed);
});

test("every package that can be installed here accepts the Node versions that we support", () => {
  expect(satisfies("20.18.0", String(manifest.engines!.node))).toBe(false);
  const rejecting = locked.flatMap(([place, { engines, os: systems }]) => {
    const range = engines?.node;
    if (range === undefined || systems?.includes("win32")) return [];
    return NODE_VERSIONS.every((version) => satisfies(version, range)) ? [] : [`${place} ${range}`];
  });
  expect(rejecting).toEqual([]);
});

test("what the server imports at run time is a dependency or is bundled", () => {
  const files = ["server", "inngest"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|^contract\//.test(name))
      .map((name) => path.join(folder, name)),
  );
  const imported = new Set(files.flatMap(importedPackages));
  expect(imported).toContain("pg");
  const missing = [...imported].filter((name) => !(name in manifest.dependencies!));
  expect(missing).toEqual(BUNDLED);
});

/** Returns the packages that a file imports values from. */
function importedPackages(file: string): string[] {
  const imports = readFileSync(file, "utf8").matchAll(
    /^(?:import (?!type\b)[^"';]*?"|.*\bimport\()"?((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[^"]*)?"/gm,
  );
  return [...imports].map((match) => match[1]!);
}

test("starting without a build and without the tools to build exits with one sentence", () => {
  const clone = mkdtempSync(path.join(os.tmpdir(), "hub-clone-"));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  for (const name of ["package.json", "package-lock.json", "prisma/schema.prisma", "scripts"])
    cpSync(name, path.join(clone, name), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, ["scripts/start.mjs"], { cwd: clone, encoding: "utf8" });
  expect(stderr).toMatch(
    /^The database client must be built, but prisma is not installed: run `npm ci --include=dev` and .*\.\n$/,
  );
  expect(status).toBe(1);
});
