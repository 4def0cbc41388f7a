import { openBflDouble } from "./bfl/double";
import type { Double } from "./double";
import { openCogDouble } from "./cog/double";
import { openFalDouble } from "./fal/double";
import { openGeminiDouble } from "./gemini/double";
import { openOpenaiDouble } from "./openai/double";
import { openReplicateDouble } from "./replicate/double";

/** A kind of provider, with a double of it and a catalogue of the models `model` and `hasty`, which has one second. */
export interface Maker {
  kind: string;
  open: () => Promise<Double>;
  catalogue: (url: string) => string;
  input: Record<string, unknown>;
}

const parameters = `{ type: object, required: [prompt], properties: { prompt: { type: string, maxLength: 4000 } } }`;

const describeModel = (kind: string, upstreamModel: string) => (url: string) => `
providers:
  - { id: maker, kind: ${kind}, base_url: "${url}", api_key: test-key-0123456789 }
models:
${[
  ["model", 300],
  ["hasty", 1],
]
  .map(
    ([id, seconds]) => `
  - id: ${id}
    output_modalities: [image]
    timeout_seconds: ${seconds}
    parameters_schema: ${parameters}
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes: [{ provider: maker, upstream_model: "${upstreamModel}" }]`,
  )
  .join("")}
`;

export const makers: Maker[] = [
  {
    kind: "cog",
    open: openCogDouble,
    catalogue: describeModel("cog", "model"),
    input: { prompt: "a lighthouse" },
  },
  {
    kind: "openai",
    open: () => openOpenaiDouble(),
    catalogue: (url) => describeModel("openai", "gpt-image-2.5-flare")(`${url}/v1`),
    input: { prompt: "a lighthouse" },
  },
  {
    kind: "replicate",
    open: () => openReplicateDouble(),
    catalogue: (url) => describeModel("replicate", "black-forest-labs/flux-schnell")(`${url}/v1`),
    input: { prompt: "a lighthouse" },
  },
  {
    kind: "bfl",
    open: openBflDouble,
    catalogue: describeModel("bfl", "flux-2-pro"),
    input: { prompt: "a lighthouse" },
  },
  {
    kind: "fal",
    open: openFalDouble,
    catalogue: describeModel("fal", "fal-ai/flux/schnell"),
    input: { prompt: "a lighthouse" },
  },
  {
    kind: "gemini",
    open: openGeminiDouble,
    catalogue: (url) => describeModel("gemini", "gemini-nano-banana-2.1")(`${url}/v1beta`),
    input: { prompt: "a lighthouse" },
  },
];
