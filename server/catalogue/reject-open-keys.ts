import type { Queryable } from "../db/client";
import { int4, notNull, text } from "../db/column-types";
import { statement } from "../db/statement";
import { CatalogueError, type CatalogueIssue, formatPath } from "./catalogue-error";
import type { ProviderSettings } from "./model";
import type { ParsedCatalogue } from "./parse";
import { nameWithKey } from "./provider-settings";
import { readSource } from "./source";

/**
 * Throws CatalogueError for a catalogue that lacks a key with which jobs still run, because nobody could poll them. A
 * provider that has one key, before and after, may read it from another variable.
 */
export async function rejectOpenKeys(
  db: Queryable,
  { providers }: Pick<ParsedCatalogue, "providers">,
  { source, file }: { source: string; file: string },
): Promise<void> {
  const open = await selectOpenKeys(db);
  const removed = open.flatMap(({ route, key, jobs }) => {
    const owner = findOwner(providers, route, key);
    return owner !== undefined && isRemoved(providers, owner, { route, key }) ? [{ owner, key, jobs }] : [];
  });
  if (removed.length > 0) throw new CatalogueError(file, describe(removed, source, file));
}

/** Returns the id of the provider that a route belongs to, if the catalogue has it. */
const findOwner = (providers: ProviderSettings[], route: string, key: string): string | undefined =>
  providers
    .map(({ catalogueId }) => catalogueId)
    .filter((id) => [id, nameWithKey(id, key)].some((name) => route === name || route.startsWith(`${name}:`)))
    .toSorted((a, b) => b.length - a.length)[0];

function isRemoved(
  providers: ProviderSettings[],
  owner: string,
  { route, key }: { route: string; key: string },
): boolean {
  const settings = providers.filter(({ catalogueId }) => catalogueId === owner);
  const hasSeveral = settings.some(({ id }) => id !== owner) || route.startsWith(nameWithKey(owner, key));
  return hasSeveral && settings.every(({ keyVariable }) => keyVariable !== key);
}

function describe(
  removed: { owner: string; key: string; jobs: number }[],
  source: string,
  file: string,
): CatalogueIssue[] {
  const { value, lineOf } = readSource(source, file);
  const { providers } = value as { providers: { id: string }[] };
  const jobsOf = new Map<string, number>();
  for (const { owner, key, jobs } of removed) {
    const name = nameWithKey(owner, key);
    jobsOf.set(name, (jobsOf.get(name) ?? 0) + jobs);
  }
  return [...jobsOf].map(([name, jobs]) => {
    const [owner, key] = name.split("@") as [string, string];
    const path = ["providers", providers.findIndex(({ id }) => id === owner), "api_keys"];
    const message =
      `lacks the key \${${key}}, with which ${jobs} ${jobs === 1 ? "job runs" : "jobs run"}: ` +
      `list { key: "\${${key}}", retired: true } until they have ended`;
    return { line: lineOf(path), path: formatPath(path), message };
  });
}

const selectOpenKeys = statement({
  params: [],
  row: { route: text, key: notNull(text), jobs: int4 },
  text: `
    SELECT a.route, a.key, count(*)::int AS jobs FROM generation g JOIN attempt a ON a.generation_id = g.id
    WHERE g.status = 'running' AND a.ended_at IS NULL AND NOT a.reserved AND a.key IS NOT NULL GROUP BY 1, 2`,
});
