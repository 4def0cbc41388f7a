import { array, int4, text, timestamptz } from "../db/column-types";
import { statement } from "../db/statement";
import { readFile } from "node:fs/promises";
import type { Db } from "../db/client";
import { type Env, readVariables } from "../env";
import type { Logger } from "../lib/log";
import { SANDBOX_OFFERED_AT, sandboxCatalogue } from "../providers/sandbox/models";
import { CatalogueError } from "./catalogue-error";
import type { Catalogue, Model, OfferedModel } from "./model";
import { parseCatalogue } from "./parse";

interface LoadOptions {
  db: Db;
  now: () => Date;
  env: Pick<Env, "HUB_CATALOGUE" | "SANDBOX">;
  log: Logger;
}

/**
 * Loads the sandbox's models if SANDBOX is on, followed by the operator's: from the file HUB_CATALOGUE, or else from the
 * newest revision. Throws CatalogueError if the operator's catalogue is invalid.
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
  const source = env.HUB_CATALOGUE ? await readText(env.HUB_CATALOGUE) : await readNewestRevision(db);
  const operatorCatalogue = source && parseCatalogue(source.text, { file: source.file, variables });
  for (const warning of operatorCatalogue?.warnings ?? []) log.warn({ catalogue: source?.file }, warning);
  const sandboxModels = sandbox.models.map((model) => ({ ...model, firstOfferedAt: SANDBOX_OFFERED_AT }));
  const operatorModels = await recordOffers(db, operatorCatalogue?.models ?? [], now());
  return new Map([...sandboxModels, ...operatorModels].map((model) => [model.id, model]));
}

interface CatalogueText {
  file: string;
  text: string;
}

async function readText(file: string): Promise<CatalogueText> {
  try {
    return { file, text: await readFile(file, "utf8") };
  } catch (error) {
    const message = `cannot be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`;
    throw new CatalogueError(file, [{ line: 0, path: "", message }]);
  }
}

async function readNewestRevision(db: Db): Promise<CatalogueText | null> {
  const [row] = await selectNewest(db);
  return row ? { file: `applied catalogue ${row.id}`, text: row.source } : null;
}

/** Returns the models with the time when each was first offered, recorded as `now` for new ones. */
async function recordOffers(db: Db, models: Model[], now: Date): Promise<OfferedModel[]> {
  const ids = models.map(({ id }) => id);
  await insertOffers(db, ids, now);
  // A separate statement also sees rows that another process inserted meanwhile.
  const rows = await selectOffers(db, ids);
  const times = new Map(rows.map((row) => [row.id, row.first_offered_at]));
  return models.map((model) => ({ ...model, firstOfferedAt: times.get(model.id)! }));
}

// Not through the Prisma client, whose first use would delay the start by half a second.
const selectNewest = statement({
  params: [],
  row: { id: int4, source: text },
  text: "SELECT id, source FROM catalogue_revision ORDER BY id DESC LIMIT 1",
});

const insertOffers = statement({
  params: [array(text), timestamptz],
  row: {},
  text: "INSERT INTO offered_model (id, first_offered_at) SELECT unnest($1::text[]), $2 ON CONFLICT (id) DO NOTHING",
});

const selectOffers = statement({
  params: [array(text)],
  row: { id: text, first_offered_at: timestamptz },
  text: "SELECT id, first_offered_at FROM offered_model WHERE id = ANY ($1)",
});
