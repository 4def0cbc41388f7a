import { findBookIssues } from "../../catalogue/books/find-book-issues";
import { type CatalogueIssue, isCatalogueError } from "../../catalogue/catalogue-error";
import type { Model } from "../../catalogue/model";
import { findNewestRevision } from "../../catalogue/newest-revision";
import { parseCatalogue } from "../../catalogue/parse";
import { readVariables } from "../../env";
import { formatDecimal } from "../../lib/money";
import type { ModelsHub } from "./hub";

const MAX_CHANGES = 300;
const MAX_VALUE_LENGTH = 200;

/** One setting of a model that a draft changes; null where it is not set. */
interface SettingChange {
  /** Such as `pricing.tiers[0].price`. */
  setting: string;
  before: string | null;
  after: string | null;
}

/** The changes that a draft makes to one model. */
interface ModelChange {
  model: string;
  kind: "added" | "removed" | "changed";
  settings: SettingChange[];
}

/** What the check of a draft found. With issues, nothing can be compared or applied. */
export interface CheckedDraft {
  issues: CatalogueIssue[];
  warnings: string[];
  changes: ModelChange[];
}

/**
 * Checks a catalogue, also against the applied price books, and compares its models, prices and routes with those of the
 * applied one. Changes nothing.
 */
export async function checkDraft(hub: ModelsHub, source: string): Promise<CheckedDraft> {
  const applied = await findNewestRevision(hub.db);
  const options = { file: "catalogue", now: hub.now(), variables: readVariables() };
  try {
    const { models, warnings } = await hub.longWork(() => parseCatalogue(source, options));
    const issues = await findBookIssues(hub.db, models, hub.env);
    if (issues.length > 0) return { issues, warnings, changes: [] };
    const before = applied ? await hub.longWork(() => parseOrNothing(applied.source, options)) : [];
    return { issues: [], warnings, changes: compareModels(before, models) };
  } catch (error) {
    if (isCatalogueError(error)) return { issues: error.issues, warnings: [], changes: [] };
    throw error;
  }
}

/** Returns no models if the applied catalogue is no longer valid, such as after an upgrade: all of the draft is new then. */
function parseOrNothing(source: string, options: Parameters<typeof parseCatalogue>[1]): Model[] {
  try {
    return parseCatalogue(source, options).models;
  } catch {
    return [];
  }
}

const NO_SETTINGS: ReadonlyMap<string, string> = new Map();

function compareModels(before: Model[], after: Model[]): ModelChange[] {
  const [old, next] = [before, after].map((models) => new Map(models.map((model) => [model.id, flatten(model)])));
  const ids = [...new Set([...old!.keys(), ...next!.keys()])];
  const changes = ids.flatMap((model): ModelChange[] => {
    const [was, is] = [old!.get(model), next!.get(model)];
    const settings = compareSettings(was ?? NO_SETTINGS, is ?? NO_SETTINGS);
    if (was && is) return settings.length > 0 ? [{ model, kind: "changed", settings }] : [];
    return [{ model, kind: is ? "added" : "removed", settings: settings.filter(({ setting }) => isShown(setting)) }];
  });
  return changes.slice(0, MAX_CHANGES);
}

/** Of a model that is added or removed, only the name, the prices and the routes are shown. */
const isShown = (setting: string): boolean => /^(name$|pricing|routes\[\d+\]\.(id|priceUsd)$)/.test(setting);

function compareSettings(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): SettingChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((setting) => before.get(setting) !== after.get(setting))
    .slice(0, MAX_CHANGES)
    .map((setting) => ({ setting, before: before.get(setting) ?? null, after: after.get(setting) ?? null }));
}

/** Returns a model's settings by their paths. A provider has only its id, because its settings include its key. */
function flatten(model: Model): Map<string, string> {
  const settings = new Map<string, string>();
  const add = (path: string, value: unknown): void => {
    if (value === null || value === undefined) return;
    if (typeof value === "bigint") settings.set(path, formatDecimal(value));
    else if (value instanceof Map) add(path, Object.fromEntries(value));
    else if (Array.isArray(value)) value.forEach((item, index) => add(`${path}[${index}]`, item));
    else if (typeof value === "object") {
      for (const [name, member] of Object.entries(value)) add(path === "" ? name : `${path}.${name}`, member);
    } else settings.set(path, `${value as string | number | boolean}`.slice(0, MAX_VALUE_LENGTH));
  };
  const routes = model.routes.map(({ provider, ...route }) => ({ ...route, provider: provider.id }));
  add("", { ...model, routes });
  return settings;
}
