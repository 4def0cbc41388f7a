import { readFile } from "node:fs/promises";
import type { Db } from "../db/client";
import { type Env, readVariables } from "../env";
import type { Logger } from "../lib/log";
import { SANDBOX_OFFERED_AT, sandboxCatalogue } from "../providers/sandbox/models";
import { CatalogueError } from "./catalogue-error";
import type { Catalogue } from "./model";
import { parseCatalogue } from "./parse";
import { recordOffers } from "./record-offers";

interface LoadOptions {
  db: Db;
  now: () => Date;
  env: Pick<Env, "HUB_CATALOGUE" | "SANDBOX">;
  log: Logger;
}

/**
 * Loads the sandbox's models, if SANDBOX is on, and after them the operator's: of the file that HUB_CATALOGUE names, else
 * of the catalogue that was applied last. Throws CatalogueError when that cannot be used.
 */
export async function loadCatalogue(
  { db, env, log, now }: LoadOptions,
  variables = readVariables(),
): Promise<Catalogue> {
  const sandbox = parseCatalogue(JSON.stringify({ models: env.SANDBOX === "on" ? sandboxCatalogue : [] }), {
    file: "sandbox",
    variables: {},
    reserved: [],
  });
  const written = env.HUB_CATALOGUE ? await readText(env.HUB_CATALOGUE) : await newestRevision(db);
  const own = written && parseCatalogue(written.text, { file: written.file, variables });
  for (const warning of own?.warnings ?? []) log.warn({ catalogue: written?.file }, warning);
  const always = sandbox.models.map((model) => ({ ...model, firstOfferedAt: SANDBOX_OFFERED_AT }));
  const offered = await recordOffers(db, own?.models ?? [], now());
  return new Map([...always, ...offered].map((model) => [model.id, model]));
}

interface Written {
  file: string;
  text: string;
}

async function readText(file: string): Promise<Written> {
  try {
    return { file, text: await readFile(file, "utf8") };
  } catch (error) {
    const message = `cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`;
    throw new CatalogueError(file, [{ line: 0, path: "", message }]);
  }
}

async function newestRevision(db: Db): Promise<Written | null> {
  const [row] = await db.query<{ id: number; source: string }>(
    "SELECT id, source FROM catalogue_revision ORDER BY id DESC LIMIT 1",
  );
  return row ? { file: `applied catalogue ${row.id}`, text: row.source } : null;
}
