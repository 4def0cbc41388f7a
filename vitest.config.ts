import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { isSoakFile } from "./scripts/soak-files.mjs";

const FOLDERS = ["app", "server", "inngest", "prisma", "test", "scripts"];
/** What starts a Postgres or connects to the one of the run; every other helper gets its database from these. */
const DATABASE_HELPERS = new Set([
  "test/cluster.ts",
  "test/database.ts",
  "e2e/server.ts",
  "server/db/embedded/join.ts",
]);
/** Turn the clock of their process for hours, and with it whatever another test has left waiting there. */
const CLOCK_TESTS = ["app/trpc/quiet-page.test.ts"];
/** Code of the product never imports a test helper, so that its own imports need not be followed. */
const MAY_IMPORT_HELPERS = /\.test\.ts$|^(test|e2e)\/|contract/;
const IMPORT = /(?:from|import\()\s*"(\.[^"]+|@\/[^"]+)"|^import "(\.[^"]+)"/gm;

const { unit, database } = splitTests();
// Names are matched as patterns, in which the parentheses and brackets of Next's folders would have a meaning.
const escape = (file: string) => file.replace(/[()[\]{}!*?+@]/g, "\\$&");

export default defineConfig({
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    projects: process.env.HUB_TEST_ALL
      ? // A run of all tests: each worker loads the modules of the hub once.
        [
          firstProject("clock", CLOCK_TESTS),
          databaseProject([...unit, ...database].filter((file) => !CLOCK_TESTS.includes(file))),
        ]
      : [firstProject("unit", unit), databaseProject(database)],
    coverage: {
      provider: "v8",
      include: ["app/**/*.{ts,tsx}", "server/**/*.ts", "inngest/**/*.ts"],
      reporter: ["text-summary", "html"],
    },
    setupFiles: ["test/page-api.ts"],
    // They end what hangs: a busy machine takes several times as long as a quiet one, and full counts take their time.
    testTimeout: process.env.SOAK ? 300_000 : 120_000,
    hookTimeout: 120_000,
    // HTTPS receivers of tests have their certificate from an authority of their own; Node reads this at its start.
    env: { NODE_EXTRA_CA_CERTS: path.resolve(import.meta.dirname, "test/authority/authority.cert.pem") },
    // Tests keep to databases and folders of their own, and leave nothing behind in modules: loading all of the hub anew
    // for each file would take a third of the time.
    isolate: false,
    // Modules that have not changed are not transformed again, neither by the next project nor by the next run.
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest" },
    // On two cores: tests wait for processes, receivers and clocks for a third of their time.
    maxWorkers: 4,
    // A busy machine takes longer than the second that is the default; what never comes still fails.
    expect: { poll: { timeout: 20_000 } },
  },
});

/** Returns a project that runs before the one with a Postgres. */
function firstProject(name: string, files: string[]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: files.map(escape) } };
}

/** Returns the project whose tests have a Postgres. It runs after the others, so that a worker loads one of them at a time. */
function databaseProject(files: string[]): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name: "database",
      include: files.map(escape),
      globalSetup: ["test/postgres.ts"],
      sequence: { groupOrder: 1 },
    },
  };
}

/** Returns the test files, by whether their imports lead to a database. */
function splitTests(): { unit: string[]; database: string[] } {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts") && (process.env.SOAK || !isSoakFile(name)))
      .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/"))),
  );
  const known = new Map<string, boolean>();
  const database = tests.filter((file) => needsDatabase(file, known));
  return { unit: tests.filter((file) => !database.includes(file)), database };
}

function needsDatabase(file: string, known: Map<string, boolean>): boolean {
  if (DATABASE_HELPERS.has(file)) return true;
  if (!MAY_IMPORT_HELPERS.test(file)) return false;
  let needs = known.get(file);
  if (needs === undefined) {
    // Ends the search where two helpers import each other.
    known.set(file, false);
    needs = importedFiles(file).some((target) => needsDatabase(target, known));
    known.set(file, needs);
  }
  return needs;
}

function importedFiles(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].flatMap((match) => {
    const name = (match[1] ?? match[2])!;
    const target = name.startsWith("@/") ? name.slice(2) : path.posix.join(path.posix.dirname(file), name);
    return existsSync(`${target}.ts`) ? [`${target}.ts`] : [];
  });
}
