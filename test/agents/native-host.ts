import { afterAll } from "vitest";
import { openChatHost } from "../chat/host";
import { API_KEY, openDouble } from "../providers/anthropic/double";
import { parseCatalogue } from "../../server/catalogue/parse";
import { catalogueWith } from "../catalogue";
import { answerWithTool, callToolNatively } from "./call-tool-natively";
import { MODELS } from "./models";

const LLM = `{ input_cost_per_million: 1, output_cost_per_million: 2, cache_write_cost_per_million: 1.25,
      cached_input_cost_per_million: 0.1, context_length: 400000, max_output_tokens: 128000 }`;

/** Starts a hub with models over chat, `native-messages` at a double of Anthropic, and `native-responses`. */
export async function openNativeHost() {
  const double = await openDouble(answerWithTool);
  afterAll(() => double.close());
  const host = await openChatHost({}, callToolNatively);
  host.setModels(`${MODELS}
  - id: native-responses
    llm: ${LLM}
    supports: [vision, tools, structured_output]
    routes: [{ provider: up, upstream_model: gpt-up, responses: true }]`);
  const text = `providers: [{ id: claude, kind: anthropic, base_url: "${double.url}", api_key: "${API_KEY}" }]
models:
  - id: native-messages
    llm: ${LLM}
    supports: [vision, tools, structured_output]
    routes: [{ provider: claude, upstream_model: claude-opus-5-5 }]`;
  const { models } = parseCatalogue(text, { file: "test", variables: {} });
  host.hub.catalogue = new Map([...host.hub.catalogue, ...catalogueWith(models)]);
  return { ...host, double };
}
