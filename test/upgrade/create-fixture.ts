// Creates a fixture of upgrade.test.ts from a checkout of an older commit, in which `npm ci` and `npm run build` ran:
//   npx tsx test/upgrade/create-fixture.ts ../old-checkout test/upgrade/4ff5a10
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Hub } from "../../server/domain/hub";
import { withClient } from "../cluster";
import { dumpDatabase } from "./dump-database";
import { fillOldHub } from "./fill-old-hub";
import { type Fixture, fixtureSettings } from "./fixture";
import { startOldHub } from "./old-hub";

const [checkout = "", folder = ""] = process.argv.slice(2).map((name) => path.resolve(name));
const hub = await startOldHub(checkout);
try {
  const filled = await fillOldHub(hub);
  hub.kill();
  const capturedAt = new Date().toISOString();
  const applied = await hub.query("SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1");
  const migrations = applied.map(({ name }) => String(name));
  const fixture: Fixture = { capturedAt, migrations, ...filled, signedLink: await signLink(filled.output) };
  const database = await withClient(hub.databaseUrl, dumpDatabase);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "database.sql"), database.replaceAll(checkout, "/hub"));
  await writeJson("files.json", await readFiles(hub.dataDir));
  await writeJson("fixture.json", fixture);
} finally {
  await hub.remove();
}
process.exit();

/** Returns a link as the old code signs it for workers and providers, for many years. */
async function signLink(output: string): Promise<string> {
  const { signLink } = (await import(path.join(checkout, "server/domain/files/sign.ts"))) as {
    signLink: (hub: Hub, id: string, expires: Date) => string;
  };
  const { BASE_URL, HUB_SECRET } = fixtureSettings;
  const hub = { env: { BASE_URL }, secret: HUB_SECRET } as unknown as Hub;
  return signLink(hub, path.basename(output), new Date("2100-01-01T00:00:00Z"));
}

/** Returns the stored files by their paths, in base64. */
async function readFiles(dataDir: string): Promise<Record<string, string>> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const contents = names.map(async (name) => [path.relative(dataDir, name), await readFile(name, "base64")] as const);
  return Object.fromEntries(await Promise.all(contents));
}

function writeJson(name: string, value: object): Promise<void> {
  return writeFile(path.join(folder, name), JSON.stringify(value, null, 2) + "\n");
}
