import { CatalogueError } from "../server/catalogue/catalogue-error";
import type { Catalogue, Model } from "../server/catalogue/model";
import { parseCatalogue } from "../server/catalogue/parse";

/** Parses a catalogue from YAML, with the providers `first` and `second` of kind sandbox and `openai`. */
export function catalogueOf(models: string): Catalogue {
  const providers = `providers:
  - { id: first, kind: sandbox }
  - { id: second, kind: sandbox }
  - { id: openai, kind: openai, base_url: "https://openai.example", api_key: k }
`;
  const parsed = parseCatalogue(`${providers}models:\n${models}`, { file: "test", variables: {} });
  return catalogueWith(parsed.models);
}

/** Returns an applied catalogue with these models. */
export const catalogueWith = (models: Model[]): Catalogue =>
  new Map(models.map((model) => [model.id, { ...model, firstOfferedAt: new Date(0) }]));

/** Returns the first model of the YAML. */
export const modelOf = (models: string): Model => [...catalogueOf(models).values()][0]!;

/** Returns the first model of a whole catalogue. */
export const modelFrom = (text: string): Model => parseCatalogue(text, { file: "FILE", variables: {} }).models[0]!;

/** Returns the issues of a catalogue as the operator sees them. */
export function issuesOf(text: string, variables: Record<string, string> = {}): string[] {
  try {
    parseCatalogue(text, { file: "FILE", variables });
  } catch (error) {
    if (error instanceof CatalogueError) return error.message.split("\n");
    throw error;
  }
  return [];
}
