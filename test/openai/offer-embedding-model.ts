import { parseCatalogue } from "../../server/catalogue/parse";
import type { Hub } from "../../server/domain/hub";
import { catalogueWith } from "../catalogue";

/** Adds the model `embed`, which a provider at this address answers, to a hub's catalogue. */
export function offerEmbeddingModel(hub: Hub, url: string): void {
  const catalogue = `providers:
  - { id: up, kind: openai, base_url: "${url}/v1", api_key: sk-up-0123456789 }
models:
  - id: embed
    output_modalities: [embedding]
    llm: { input_cost_per_million: 1, output_cost_per_million: 0, context_length: 100, max_output_tokens: 1 }
    routes: [{ provider: up, upstream_model: text-up }]`;
  const { models } = parseCatalogue(catalogue, { file: "test", variables: {} });
  hub.catalogue = new Map([...hub.catalogue, ...catalogueWith(models)]);
}
