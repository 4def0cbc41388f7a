import type { ModelSummary } from "./types";

/** What the list of models is filtered and sorted by; empty values filter nothing. */
interface ModelFilters {
  words: string;
  /** What a model makes, e.g. `image`. */
  makes: string;
  /** The most that a usual run costs, in EUR. */
  maxCost: string;
  sort: string;
}

type Filtered = Pick<
  ModelSummary,
  "id" | "name" | "description" | "output_modalities" | "typical_cost" | "typical_seconds"
>;

/** Returns the models that have all of the words and that the other filters allow, in the chosen order. */
export function filterModels<Model extends Filtered>(models: Model[], filters: ModelFilters): Model[] {
  const words = filters.words.toLowerCase().split(/\s+/);
  const maxCost = filters.maxCost === "" ? Infinity : Number(filters.maxCost);
  const found = models.filter(({ id, name, description, output_modalities, typical_cost }) => {
    const text = [id, name, description].join(" ").toLowerCase();
    return (
      words.every((word) => text.includes(word)) &&
      (filters.makes === "" || output_modalities.includes(filters.makes)) &&
      // A model of unknown cost is not below a limit.
      (maxCost === Infinity || (typical_cost ?? Infinity) <= maxCost)
    );
  });
  const key = keys.get(filters.sort);
  return key ? found.sort((one, other) => (one[key] ?? Number.MAX_VALUE) - (other[key] ?? Number.MAX_VALUE)) : found;
}

/** The value that each order compares; a model without it comes last. */
const keys = new Map<string, "typical_cost" | "typical_seconds">([
  ["price", "typical_cost"],
  ["speed", "typical_seconds"],
]);
