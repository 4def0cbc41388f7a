// JavaScript, because loading TypeScript would take a tenth of the time of one small test.
import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { findChangedTests } from "./changed-tests.mjs";
import { useMemoryFolder } from "./memory-folder.mjs";

process.chdir(path.resolve(import.meta.dirname, ".."));
const RESULTS = "test-results";
/** The seconds that the tests of `npm run test:changed`, and its journeys, may take in total; three and two run at a time. */
const CHANGED_SECONDS = 90;

/** @typedef {{ passed: number, failed: number, failures?: string[] }} Counts */
/** @typedef {{ title: string, command: string[], env?: Record<string, string>, isBackground?: boolean, count?: () => Promise<Counts> }} Step */

/** Characters of one failure that the end of the run repeats. */
const MAX_FAILURE_CHARS = 2_000;

const binary = (name) => path.resolve("node_modules", ".bin", name);
const isJourney = (value) => /^e2e\/|\.spec\.ts$/.test(value);

/** Everything needs the database client. */
const generate = { title: "database client", command: [process.execPath, "scripts/generate.mjs"] };
/** The suites need the built hub. */
const build = { title: "build", command: [process.execPath, "scripts/build.mjs"] };

/**
 * Run side by side, because each waits for processes or browsers a third of its time. `count` reads how many tests of a
 * step passed and failed.
 * @type {Step[]}
 */
const suites = [
  {
    title: "tests",
    command: [
      binary("vitest"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${RESULTS}/vitest.json`,
    ],
    // Some of the REST suites, against the built Next host as well; `npm run soak` runs all of them there.
    env: { HUB_TEST_HOSTS: process.env.SOAK ? "all" : "smoke", HUB_TEST_ALL: "1" },
    count: countVitest,
  },
  { title: "journeys", command: [binary("playwright"), "test"], count: countPlaywright },
];

/** Files whose content was accepted before are not read again. */
const cache = ["--cache", "--cache-strategy", "content", "--cache-location", "node_modules/.cache/cspell"];

/**
 * Run one after the other beside the build and the suites, at the lowest priority: they use the time in which those wait
 * for processes and browsers, and do not delay them.
 * @type {Step[]}
 */
const untypedChecks = [
  {
    title: "spelling",
    command: [binary("cspell"), "lint", "--no-progress", "--no-summary", ...cache, "."],
  },
  { title: "format", command: [binary("oxfmt"), "--check", "."] },
].map((step) => ({ ...step, isBackground: true }));
/** With one checker, because each of several would check shared types again. */
const types = {
  title: "types",
  command: [process.execPath, "node_modules/typescript-7/bin/tsc", "--noEmit", "--checkers", "1"],
};
/**
 * With less garbage collection, which takes a third of their processor time off the types and a tenth off the rules.
 * @type {Step[]}
 */
const typedChecks = [types, { title: "rules", command: [binary("oxlint"), "--type-aware", "--deny-warnings"] }].map(
  (step) => ({ ...step, env: { GOGC: "400" }, isBackground: true }),
);

const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    for (const child of running) child.kill(signal);
  });

// Full counts may need more room than a folder in memory has.
if (!process.env.SOAK) useMemoryFolder();

// `npm test -- path` runs only that: a journey of the browser with Playwright, else a file in its Vitest project. `npm
// run test:changed` runs what the changes since a commit can reach.
const chosen = process.argv.slice(2);
if (chosen[0] === "--changed") process.exit(await runChanged(chosen[1] ?? "main"));
if (chosen.length > 0) {
  const runner = chosen.some(isJourney) ? [binary("playwright"), "test"] : [binary("vitest"), "run"];
  process.exit((await run([...runner, ...chosen])).code ?? 1);
}

const total = { passed: 0, failed: 0 };
const failures = [];
await rm(RESULTS, { recursive: true, force: true });
await mkdir(RESULTS, { recursive: true });
await runInTurn([generate]);
const built = runInTurn([build]);
await Promise.all([
  built.then(() => Promise.all(suites.map((suite) => runInTurn([suite])))),
  // The build leaves half of the machine to them; types and their rules need what it generates.
  runInTurn(untypedChecks).then(() => built.then(() => runInTurn(typedChecks))),
]);
// Repeated here, because hundreds of lines of journeys come after a failed test, and often only the end of a log is kept.
for (const failure of failures) print(`\nFAILED ${failure}`);
print(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

/** Runs the types, and the tests and journeys that the changes since a commit can reach. Returns the exit code. */
async function runChanged(base) {
  const { tests, journeys, left } = findChangedTests(base, CHANGED_SECONDS);
  print(`${tests.length} test files and ${journeys.length} journeys are reached by the changes since ${base}`);
  const built = await run(build.command);
  const commands = [types.command];
  if (tests.length > 0) commands.push([binary("vitest"), "run", ...tests]);
  if (journeys.length > 0) commands.push([binary("playwright"), "test", ...journeys]);
  const ended = [built, ...(await Promise.all(commands.map((command) => run(command))))];
  if (left > 0) print(`\n${left} more files of tests that the changes reach were left out: npm test runs them.`);
  return ended.every(({ code }) => code === 0) ? 0 : 1;
}

/**
 * Runs steps one after the other and adds their counts and failures to the total.
 * @param {Step[]} steps
 */
async function runInTurn(steps) {
  for (const step of steps) {
    const { passed, failed, failures: ofStep } = await runStep(step);
    total.passed += passed;
    total.failed += failed;
    failures.push(...ofStep);
  }
}

/**
 * @param {Step} step
 * @returns {Promise<Counts>}
 */
async function runStep({ title, command, env, isBackground, count }) {
  print(`\n── ${title}`);
  const startedAt = Date.now();
  const { code, end } = await run(command, env, isBackground);
  const ok = code === 0;
  // A run that crashed leaves no report, or one without failures: it counts as one failure.
  const counts = (await count?.().catch(() => null)) ?? { passed: ok ? 1 : 0, failed: 0 };
  const failed = ok ? counts.failed : Math.max(counts.failed, 1);
  const failures = counts.failures ?? (failed > 0 ? [`${title}\n${end}`] : []);
  const result = { passed: counts.passed, failed, failures };
  print(
    `── ${title}: ${result.passed} passed, ${result.failed} failed (${Math.round((Date.now() - startedAt) / 1000)} s)`,
  );
  return result;
}

/** Runs a program. Returns its exit code, null when a signal ended it, and the end of what one in the background printed. */
function run([file, ...values], env = {}, isBackground = false) {
  return new Promise((resolve, reject) => {
    const output = isBackground ? "pipe" : "inherit";
    const child = spawn(file, values, { stdio: ["inherit", output, output], env: { ...process.env, ...env } });
    running.add(child);
    if (isBackground && child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    let end = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => {
        print(text, "");
        end = (end + text).slice(-MAX_FAILURE_CHARS);
      });
    child.once("error", reject).once("close", (code) => {
      running.delete(child);
      resolve({ code, end });
    });
  });
}

async function countVitest() {
  const { numPassedTests, numFailedTests, testResults } = await readReport("vitest.json");
  // A file that cannot be loaded is reported without a failed test.
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) => describeFailure(name, fullName, failureMessages[0])),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests + brokenFiles.length,
    failures: [
      ...failed,
      ...brokenFiles.map(({ name, message }) => describeFailure(name, "cannot be loaded", message)),
    ],
  };
}

async function countPlaywright() {
  const { stats, errors, suites } = await readReport("playwright.json");
  const listFailures = ({ file, specs, suites: inner = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ title, tests }) => describeFailure(`e2e/${file}`, title, tests[0].results[0]?.error?.message)),
    ...inner.flatMap(listFailures),
  ];
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + errors.length,
    failures: [...suites.flatMap(listFailures), ...errors.map(({ message }) => describeFailure("e2e", "run", message))],
  };
}

/** Returns a failure's file, test and message, the message shortened. */
function describeFailure(file, test, message = "") {
  return `${path.relative("", file)} › ${test}\n${stripVTControlCharacters(message).slice(0, MAX_FAILURE_CHARS)}`;
}

async function readReport(name) {
  return JSON.parse(await readFile(path.join(RESULTS, name), "utf8"));
}

function print(text, ending = "\n") {
  process.stdout.write(text + ending);
}
