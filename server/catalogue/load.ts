import { array, text, timestamptz } from "../db/column-types";
import { statement } from "../db/statement";
import type { Db, Queryable } from "../db/client";
import { type Env, readVariableNames, readVariables } from "../env";
import type { Logger } from "../lib/log";
import { SANDBOX_OFFERED_AT } from "../providers/sandbox/models";
import type { Catalogue, Model, OfferedModel } from "./model";
import { findNewestRevision } from "./newest-revision";
import { buildSandbox, parseCatalogue, type ParsedCatalogue } from "./parse";
import { readCatalogueFile } from "./read-catalogue-file";

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
  const operatorCatalogue = await readOperatorCatalogue({ db, env, now }, variables);
  for (const warning of operatorCatalogue?.warnings ?? []) log.warn({ catalogue: operatorCatalogue?.file }, warning);
  const operatorModels = await recordOffers(db, operatorCatalogue?.models ?? [], now());
  return addSandbox(operatorModels, env);
}

/** Returns these models after those of the sandbox, if SANDBOX is on. */
function addSandbox(models: OfferedModel[], { SANDBOX }: Pick<Env, "SANDBOX">): Catalogue {
  const sandbox = SANDBOX === "on" ? (sandboxModels ??= offerSandbox()) : [];
  return new Map([...sandbox, ...models].map((model) => [model.id, model]));
}

// Built once, because no setting changes them.
let sandboxModels: OfferedModel[] | undefined;
const offerSandbox = (): OfferedModel[] =>
  buildSandbox().map((model) => ({ ...model, firstOfferedAt: SANDBOX_OFFERED_AT }));

/**
 * Returns what would be on offer with these models of the operator, for checks. It does not read when they were first
 * offered.
 */
export const toOffered = (models: Model[], env: Pick<Env, "SANDBOX">): Catalogue =>
  addSandbox(
    models.map((model) => ({ ...model, firstOfferedAt: new Date(0) })),
    env,
  );

/** Reads what is on offer without storing anything. Values of variables are not needed. Throws CatalogueError. */
export async function readOffered(options: Pick<LoadOptions, "now" | "env"> & { db: Queryable }): Promise<Catalogue> {
  const operatorCatalogue = await readOperatorCatalogue(options, readVariableNames());
  return toOffered(operatorCatalogue?.models ?? [], options.env);
}

/**
 * Reads the operator's catalogue without storing anything: from the file HUB_CATALOGUE, or else the newest revision of a
 * database that is migrated. Returns null if there is none. Throws CatalogueError if it is invalid.
 */
export async function readOperatorCatalogue(
  { db, env, now }: { db: Queryable | null } & Pick<LoadOptions, "now" | "env">,
  variables = readVariables(),
): Promise<(ParsedCatalogue & { file: string }) | null> {
  const source = env.HUB_CATALOGUE ? await readCatalogueFile(env.HUB_CATALOGUE) : db && (await readNewestRevision(db));
  return source && { file: source.file, ...parseCatalogue(source.text, { ...source, variables, now: now() }) };
}

async function readNewestRevision(db: Queryable) {
  const revision = await findNewestRevision(db);
  return revision && { file: `applied catalogue ${revision.id}`, text: revision.source };
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
