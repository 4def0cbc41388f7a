import { parseCatalogue } from "../../server/catalogue/parse";
import type { Hub } from "../../server/domain/hub";
import { catalogueWith } from "../catalogue";

/** Adds the model `talk`, which a provider at this address answers, to a hub's catalogue. */
export function offerChatModel(hub: Hub, upstreamUrl: string): void {
  const { models } = parseCatalogue(
    `providers:
  - { id: up, kind: openai, base_url: "${upstreamUrl}", api_key: sk-upstream-0123456789 }
models:
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up }]`,
    { file: "test", variables: {} },
  );
  hub.catalogue = new Map([...hub.catalogue, ...catalogueWith(models)]);
}
