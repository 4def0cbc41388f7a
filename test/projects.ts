import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const FOLDERS = ["app", "server", "inngest", "prisma", "test", "scripts"];
/** What starts a Postgres or connects to the one of the run; every other helper gets its database from these. */
const DATABASE_HELPERS = new Set(["test/cluster.ts", "e2e/server.ts"]);
/** Code of the product never imports a test helper, so that its own imports need not be followed. */
const MAY_IMPORT_HELPERS = /\.test\.ts$|^(test|e2e)\/|contract/;
const IMPORT = /(?:from|import\()\s*"(\.[^"]+|@\/[^"]+)"|^import "(\.[^"]+)"/gm;

/** Returns the test files, by whether their imports lead to a database. */
export function splitTests(): { unit: string[]; database: string[] } {
  const tests = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".test.ts"))
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
