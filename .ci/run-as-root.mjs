// Runs everything as an ordinary user, in a clone whose path has spaces, and then as root what differs for root. Root alone
// would not find what only other users meet, such as files that may not be written.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { useMemoryFolder } from "../scripts/memory-folder.mjs";

/** Every system knows this user, which initdb asks for; creating one may not be possible. */
const USER = "nobody";
/** Postgres runs as another user than root, in folders which that one can reach, and only root can mount a small disk. */
const ROOT_TESTS = ["server/db/embedded", "test/files/full-disk.test.ts", "test/process/start-and-stop.test.ts"];
const RESULTS = "test-results/root.json";

const source = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "generation hub "));
const [clone, home] = [path.join(folder, "clone"), path.join(folder, "home")];
const number = (flag) => Number(execFileSync("id", [flag, USER]));
const user = { uid: number("-u"), gid: number("-g") };

const sum = { passed: 0, failed: 0 };
try {
  // The clone may be another user's.
  const trust = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "safe.directory", GIT_CONFIG_VALUE_0: "*" };
  const options = { stdio: "inherit", env: { ...process.env, ...trust } };
  execFileSync("git", ["clone", "--quiet", "--no-hardlinks", source, clone], options);
  mkdirSync(home);
  execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, folder]);
  chmodSync(folder, 0o755);
  add(readCounts(await run("bash", [".ci/run"], { ...user, env: { ...process.env, HOME: home } })));
  add(await runRootTests());
} catch (error) {
  process.stdout.write(`${error.stack}\n`);
  sum.failed += 1;
}
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`\n${sum.passed} passed, ${sum.failed} failed\n`);
process.exitCode = sum.failed === 0 ? 0 : 1;

function add({ passed, failed }) {
  sum.passed += passed;
  sum.failed += failed;
}

/** Runs a program in the clone. Returns its exit code, and what it printed on stdout, which is shown as well. */
function run(file, values, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, values, { cwd: clone, stdio: ["ignore", "pipe", "inherit"], ...options });
    let output = "";
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      output = (output + chunk).slice(-10_000);
    });
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}

/** Returns the counts of a run's last line; a run that ended without it has failed. */
function readCounts({ output }) {
  const found = /^(\d+) passed, (\d+) failed$/.exec(output.trim().split("\n").at(-1));
  return found ? { passed: Number(found[1]), failed: Number(found[2]) } : { passed: 0, failed: 1 };
}

async function runRootTests() {
  process.stdout.write("\n── as root\n");
  useMemoryFolder();
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${RESULTS}`];
  const { code } = await run(path.join("node_modules", ".bin", "vitest"), ["run", ...ROOT_TESTS, ...reporters]);
  const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(
    readFileSync(path.join(clone, RESULTS), "utf8"),
  );
  // A file that cannot be loaded is reported without a failed test.
  return { passed, failed: code === 0 ? failed : Math.max(failed, 1) };
}
