import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const FOLDERS = ["app", "server", "inngest", "prisma", "test", "scripts", "e2e"];
/** Journeys that visit every page, for changes of what pages share. */
const SHARED_JOURNEYS = ["e2e/console.spec.ts", "e2e/pages.spec.ts"];
/** Tests that read the sources and documents as they are. */
const READING_TESTS = [
  "documentation-links",
  "documentation",
  "imports",
  "table-owners",
  "env-example",
  "dependencies",
];
/** Folders that tests read or run without importing them, and these tests. */
const READERS = [
  ["prisma/", "test/schema/"],
  ["catalogues/", "test/catalogues/"],
  ["clients/", "test/clients/"],
  ["docs/quickstarts/", "test/clients/"],
  ["deploy/", "test/deploy.test.ts"],
  ["examples/", "test/workers/program.test.ts"],
];
/** What a test file takes if no earlier run has measured it. */
const USUAL_SECONDS = 3;
/** Types are checked by the compiler; they change nothing that a test could see. */
const IMPORT = /^(?:import|export)(?! type)[^;'"]*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\)/gm;

/**
 * Returns the tests and journeys that the changes since a commit can reach, nearest first, up to so many seconds of tests;
 * `left` is how many files were left out.
 * @param {string} base
 * @param {number} maxSeconds
 * @returns {{ tests: string[], journeys: string[], left: number }}
 */
export function findChangedTests(base, maxSeconds) {
  const changed = listChanges(base);
  const durations = readDurations();
  const reading = READING_TESTS.map((name) => `test/${name}.test.ts`);
  const reached = listFiles()
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => ({ file, distance: reading.includes(file) ? 0 : findDistance(file, changed) }))
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.distance - b.distance);
  let seconds = 0;
  const tests = reached.filter(({ file, distance }) => {
    seconds += durations.get(file) ?? USUAL_SECONDS;
    return distance === 0 || seconds <= maxSeconds;
  });
  return { tests: tests.map(({ file }) => file), journeys: findJourneys(changed), left: reached.length - tests.length };
}

/** Returns the files that differ from the commit, and those that git does not know yet. */
function listChanges(base) {
  const git = (...values) => execFileSync("git", values, { encoding: "utf8" }).split("\n").filter(Boolean);
  const since = git("merge-base", base, "HEAD")[0];
  return new Set([...git("diff", "--name-only", since), ...git("ls-files", "--others", "--exclude-standard")]);
}

function listFiles() {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/"))),
  );
}

const texts = new Map();
function read(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(file, "utf8"));
  return texts.get(file);
}

/**
 * Returns how many imports lead from a test to the nearest file that changed: 0 for itself, a file of its own folder with
 * its name, or one that it reads; Infinity if none does.
 */
function findDistance(test, changed) {
  if ([...changed].some((file) => file === test || isNamesake(test, file) || read(test).includes(`"${file}"`)))
    return 0;
  const seen = new Set([test]);
  for (let distance = 1, files = [test]; files.length > 0; distance += 1) {
    files = files.flatMap((file) => listImports(file).filter((one) => !seen.has(one) && seen.add(one)));
    if (files.some((file) => changed.has(file))) return distance;
  }
  return Infinity;
}

/** Says whether a test reads or runs a file without importing it. */
const isReader = (test, file) =>
  read(test).includes(`"${file}"`) || READERS.some(([from, by]) => file.startsWith(from) && test.startsWith(by));

/** Says whether a test has the name of a file that another process runs, as `test/api/keys.test.ts` and `server/api/keys.ts`. */
function isNamesake(test, file) {
  const [a, b] = [test.replace(/\.test\.ts$/, ""), file.replace(/\.\w+$/, "")].map((name) => name.split("/").slice(-2));
  return a.join("/") === b.join("/");
}

const imports = new Map();
function listImports(file) {
  if (!imports.has(file)) imports.set(file, /\.(tsx?|mjs)$/.test(file) ? parseImports(file) : []);
  return imports.get(file);
}

const parseImports = (file) =>
  [...read(file).matchAll(IMPORT)].flatMap(([, name, lazy]) => {
    const imported = name ?? lazy;
    const target = imported.startsWith("@/") ? imported.slice(2) : path.posix.join(path.posix.dirname(file), imported);
    if (!/^(\.|@\/)/.test(imported)) return [];
    const found = ["", ".ts", ".tsx", ".mjs", "/index.ts"].map((end) => target + end).find(isFile);
    return found ? [found] : [];
  });

const isFile = (name) => existsSync(name) && statSync(name).isFile();

/** Returns the journeys that changed, those that visit a page that changed, and for other code of pages the shared ones. */
function findJourneys(changed) {
  const specs = listFiles().filter((file) => file.endsWith(".spec.ts"));
  const helpers = [...changed].filter((file) => file.startsWith("e2e/") && !file.endsWith(".spec.ts"));
  const pages = [...changed].filter((file) => /^app\/.*\.(tsx?|css)$/.test(file) && !file.endsWith(".test.ts"));
  const routes = pages.map((file) => /^app\/\([^)]*\)\/([\w-]+)\//.exec(file)?.[1]);
  const visits = (spec, route) => new RegExp(`/${route}\\b`).test(read(spec));
  return specs.filter(
    (spec) =>
      changed.has(spec) ||
      helpers.some((helper) => listImports(spec).includes(helper)) ||
      (pages.length > 0 && SHARED_JOURNEYS.includes(spec)) ||
      routes.some((route) => route !== undefined && visits(spec, route)),
  );
}

/** Returns the seconds that each test file took in the last whole run on this machine. */
function readDurations() {
  if (!existsSync("test-results/vitest.json")) return new Map();
  const { testResults } = JSON.parse(readFileSync("test-results/vitest.json", "utf8"));
  return new Map(
    testResults.map(({ name, startTime, endTime }) => [path.relative("", name), (endTime - startTime) / 1000]),
  );
}
