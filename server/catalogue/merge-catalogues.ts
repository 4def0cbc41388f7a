import type { YAMLMap } from "yaml";
import { type Document, isAlias, isMap, isSeq, parseDocument, YAMLSeq } from "yaml";
import { OperatorError } from "../lib/operator-error";
import { detachNode } from "./detach-node";
import { formatYaml } from "./format-yaml";

/** A catalogue that was checked, with its name in messages. */
export interface CatalogueText {
  file: string;
  text: string;
}

export interface MergeOptions {
  /** Ids of the models to add; all by default. */
  models?: string[];
  /** Whether models of the target with the same ids are replaced. */
  replace: boolean;
}

export interface MergedCatalogue {
  text: string;
  /** Ids of what was added or replaced. */
  providers: string[];
  models: string[];
  /** What the source has and the result does not. */
  warnings: string[];
}

/**
 * Adds models of a catalogue, and the providers of their routes, to another one, whose comments and order stay. Providers
 * that it has already stay as they are. Throws OperatorError for a model that the source does not have or the target has
 * already, and for a provider that is of another kind there.
 */
export function mergeCatalogues(
  target: CatalogueText | null,
  source: CatalogueText,
  { models: chosen, replace }: MergeOptions,
): MergedCatalogue {
  const from = parseDocument(source.text);
  const to = target ? parseDocument(target.text) : withoutEntries(from);
  const models = chooseModels(listEntries(from, "models"), source.file, chosen);
  const [ownProviders, ownModels] = [listEntries(to, "providers"), listEntries(to, "models")];
  const providers = listProviders(from, models);
  const taken = [...models.keys()].filter((id) => ownModels.has(id));
  const name = target?.file ?? "the catalogue";
  if (taken.length > 0 && !replace)
    throw new OperatorError(
      `${name} already has ${taken.join(", ")}: use --replace to replace, or choose other models.`,
    );
  for (const [id, provider] of providers) {
    const [kind, ownKind] = [readText(provider, "kind"), readText(ownProviders.get(id), "kind")];
    if (ownKind !== undefined && kind !== ownKind)
      throw new OperatorError(
        `Provider ${id} is of kind ${ownKind} in ${name}, and of kind ${kind} in ${source.file}.`,
      );
    if (ownKind === undefined) putEntry(to, "providers", provider);
  }
  for (const model of models.values()) putEntry(to, "models", model);
  return {
    text: formatYaml(to),
    providers: [...providers.keys()].filter((id) => !ownProviders.has(id)),
    models: [...models.keys()],
    warnings: describeMargins(source.file, from.get("margin"), to.get("margin")),
  };
}

function describeMargins(file: string, margin: unknown = 1, own: unknown = 1): string[] {
  if (String(margin) === String(own)) return [];
  return [`the margin ${String(margin)} of ${file} is not added: prices are multiplied by ${String(own)}`];
}

type Section = "providers" | "models";
type Entries = Map<string, YAMLMap>;

/** Returns a copy without providers and models, for the first catalogue of a hub. */
function withoutEntries(document: Document): Document {
  const copy = document.clone();
  for (const section of ["providers", "models"]) copy.set(section, new YAMLSeq());
  return copy;
}

/** Returns the entries of a section by id, without aliases; the comment before the first one belongs to it. */
function listEntries(document: Document, section: Section): Entries {
  const list = resolve(document, document.get(section, true));
  const entries: Entries = new Map();
  for (const item of isSeq(list) ? list.items : []) {
    const entry = resolve(document, item);
    if (!isMap(entry)) continue;
    const copy = detachNode(document, entry);
    if (isSeq(list) && item === list.items[0]) copy.commentBefore ??= list.commentBefore;
    entries.set(readText(entry, "id")!, copy);
  }
  return entries;
}

const resolve = (document: Document, node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);

const readText = (entry: YAMLMap | undefined, name: string): string | undefined =>
  entry?.get(name) as string | undefined;

function chooseModels(models: Entries, file: string, chosen: string[] | undefined): Entries {
  const unknown = chosen?.filter((id) => !models.has(id)) ?? [];
  if (unknown.length > 0)
    throw new OperatorError(`${file} has no model ${unknown.join(", ")}: it has ${[...models.keys()].join(", ")}.`);
  return new Map([...models].filter(([id]) => chosen?.includes(id) ?? true));
}

/** Returns the providers of the models' routes in the source's order; the built-in ones are in no catalogue. */
function listProviders(document: Document, models: Entries): Entries {
  const used = new Set<unknown>();
  for (const model of models.values()) {
    const routes = model.get("routes");
    for (const route of isSeq(routes) ? routes.items : []) used.add(isMap(route) ? route.get("provider") : undefined);
  }
  return new Map([...listEntries(document, "providers")].filter(([id]) => used.has(id)));
}

/** Puts an entry in the place of the one with its id, or at the end of its section. */
function putEntry(document: Document, section: Section, entry: YAMLMap): void {
  const list = openSection(document, section);
  const id = readText(entry, "id");
  const isSame = (item: unknown) => {
    const own = resolve(document, item);
    return isMap(own) && readText(own, "id") === id;
  };
  const index = list.items.findIndex(isSame);
  if (section === "models" && index !== 0 && list.items.length > 0) entry.spaceBefore = true;
  if (index >= 0) list.items[index] = entry;
  else list.add(entry);
  // A list in one line cannot have the comments of its entries.
  list.flow = false;
}

/** Returns the list of a section, which is created if there is none. */
function openSection(document: Document, section: Section): YAMLSeq {
  const list = resolve(document, document.get(section, true));
  if (isSeq(list)) return list;
  const created = new YAMLSeq();
  document.set(section, created);
  return created;
}
