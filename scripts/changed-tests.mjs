import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { isSoakFile } from "./soak-files.mjs";

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
  ["server/process/", "test/process/"],
  ["server/cli/", "test/process/cli.test.ts"],
];
/** The seconds that a test file and a journey take if no earlier run has measured them. */
const USUAL_SECONDS = 3;
const USUAL_JOURNEY_SECONDS = 15;
/** Types are checked by the compiler; they change nothing that a test could see. */
const IMPORT = /^(?:import|export)(?! type)[^;'"]*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\)/gm;

/**
 * Returns the tests and journeys that the changes since a commit can reach, nearest first, up to `maxSeconds` of tests;
 * `left` is how many files were left out.
 * @param {string} base
 * @param {number} maxSeconds
 * @returns {{ tests: string[], journeys: string[], left: number }}
 */
export function findChangedTests(base, maxSeconds) {
  const changed = listChanges(base);
  const reading = READING_TESTS.map((name) => `test/${name}.test.ts`);
  const reached = listFiles()
    .filter((file) => file.endsWith(".test.ts") && !isSoakFile(file))
    .map((file) => ({ file, distance: reading.includes(file) ? 0 : findDistance(file, changed) }))
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.distance - b.distance);
  const tests = takeNearest(reached, readTestSeconds(), USUAL_SECONDS, maxSeconds);
  const visited = findJourneys(changed);
  const journeys = takeNearest(visited, readJourneySeconds(), USUAL_JOURNEY_SECONDS, maxSeconds);
  const left = reached.length - tests.length + visited.length - journeys.length;
  return { tests, journeys, left };
}

/** Returns the files that changed themselves, and of the others, in their order, those for which there is time. */
function takeNearest(files, durations, usualSeconds, maxSeconds) {
  let seconds = 0;
  const isTaken = ({ file, distance }) => {
    seconds += durations.get(file) ?? usualSeconds;
    return distance === 0 || seconds <= maxSeconds;
  };
  return files.filter(isTaken).map(({ file }) => file);
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
 * its name, or one that it names; 1 for one of a folder that it reads; Infinity if none does.
 */
function findDistance(test, changed) {
  const files = [...changed];
  if (files.some((file) => file === test || isNamesake(test, file) || read(test).includes(`"${file}"`))) return 0;
  if (files.some((file) => isReader(test, file))) return 1;
  const seen = new Set([test]);
  for (let distance = 1, files = [test]; files.length > 0; distance += 1) {
    files = files.flatMap((file) => listImports(file).filter((one) => !seen.has(one) && seen.add(one)));
    if (files.some((file) => changed.has(file))) return distance;
  }
  return Infinity;
}

/** Returns whether a test reads or runs the folder of a file without importing it. */
const isReader = (test, file) => READERS.some(([from, by]) => file.startsWith(from) && test.startsWith(by));

/** Returns whether a test is named like a file that another process runs, as `test/api/keys.test.ts` and `server/api/keys.ts`. */
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

/**
 * Returns the journeys that a change reaches, nearest first: those that changed, those that visit a page that changed,
 * the shared ones if any code of pages changed, and those that import a helper that changed.
 */
function findJourneys(changed) {
  const specs = listFiles().filter((file) => file.endsWith(".spec.ts") && !isSoakFile(file));
  const helpers = [...changed].filter((file) => file.startsWith("e2e/") && !file.endsWith(".spec.ts"));
  const pages = [...changed].filter((file) => /^app\/.*\.(tsx?|css)$/.test(file) && !file.endsWith(".test.ts"));
  const routes = pages.map((file) => /^app\/\([^)]*\)\/([\w-]+)\//.exec(file)?.[1]);
  const visits = (spec, route) => new RegExp(`/${route}\\b`).test(read(spec));
  const reasons = [
    (spec) => changed.has(spec),
    (spec) => routes.some((route) => route !== undefined && visits(spec, route)),
    (spec) => pages.length > 0 && SHARED_JOURNEYS.includes(spec),
    (spec) => helpers.some((helper) => listImports(spec).includes(helper)),
  ];
  return specs
    .map((file) => ({ file, distance: reasons.findIndex((isReached) => isReached(file)) }))
    .filter(({ distance }) => distance >= 0)
    .sort((a, b) => a.distance - b.distance);
}

/** Returns the seconds that each test file took in the last whole run on this machine. */
function readTestSeconds() {
  const { testResults = [] } = readReport("vitest.json");
  return new Map(
    testResults.map(({ name, startTime, endTime }) => [path.relative("", name), (endTime - startTime) / 1000]),
  );
}

/** Returns the seconds that the journeys of each file took in the last whole run. */
function readJourneySeconds() {
  const { suites = [] } = readReport("playwright.json");
  const sum = ({ specs, suites: inner = [] }) =>
    inner.reduce((total, one) => total + sum(one), 0) +
    specs.reduce((total, { tests }) => total + (tests[0]?.results[0]?.duration ?? 0) / 1000, 0);
  return new Map(suites.map((suite) => [`e2e/${suite.file}`, sum(suite)]));
}

const readReport = (name) => {
  const file = path.join("test-results", name);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
};
