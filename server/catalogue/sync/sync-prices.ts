import { OperatorError } from "../../lib/operator-error";
import type { CatalogueText } from "../merge-catalogues";
import type { ParsedCatalogue } from "../parse";
import { editPrices } from "./edit-prices";
import type { Entry } from "./pick-entries";
import { type ModelSync, type SyncOptions, syncModel } from "./sync-model";

/** A catalogue compared with a price list. */
export interface PriceSync {
  /** Models that the list has, in the order of the catalogue. */
  models: ModelSync[];
  /** Ids of models that the list does not have. */
  missing: string[];
  /** The catalogue with the changes of all models that have no issue. */
  text: string;
}

/**
 * Compares the models of a catalogue that are priced by tokens with the entries of a list. Throws OperatorError when it names
 * a model that the catalogue does not have.
 */
export function syncPrices(
  { models }: Pick<ParsedCatalogue, "models">,
  { file, text }: CatalogueText,
  entries: ReadonlyMap<string, Entry>,
  options: SyncOptions,
): PriceSync {
  const priced = [...models.entries()].filter(([, { pricing }]) => pricing.by === "token");
  const ids = priced.map(([, { id }]) => id);
  const unknown = options.models?.filter((id) => !ids.includes(id)) ?? [];
  if (unknown.length > 0)
    throw new OperatorError(`${file} has no text model ${unknown.join(", ")}: it has ${ids.join(", ") || "none"}.`);
  const compared = priced
    .filter(([, { id }]) => options.models?.includes(id) ?? true)
    .map(([index, model]) => ({ index, id: model.id, sync: syncModel(model, entries, options) }));
  const edits = compared.flatMap(({ index, sync }) => (sync?.issue === null ? listEdits(index, sync) : []));
  return {
    models: compared.flatMap(({ sync }) => sync ?? []),
    missing: compared.filter(({ sync }) => sync === null).map(({ id }) => id),
    text: editPrices(text, edits),
  };
}

const listEdits = (model: number, { rows, updates }: ModelSync) =>
  rows.length === 0
    ? []
    : updates.map(({ route, then }) => ({
        path: ["models", model, ...(route === null ? ["llm"] : ["routes", route, "llm_cost"])],
        then,
      }));
