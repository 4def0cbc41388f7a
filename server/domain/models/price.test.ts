import { expect, test } from "vitest";
import { catalogueOf } from "../../../test/catalogue";
import type { Ctx } from "../../context";
import type { Hub } from "../hub";
import { readEnv } from "../../env";
import { isAppError } from "../../errors";
import type { Provider } from "../../providers/provider";
import { getModel, listModels } from "./offered-models";
import { priceInput } from "./price";
import { serializeModel, serializePrices } from "./serialize-model";

const catalogue = catalogueOf(`
  - id: picture
    pricing_tiers: [{ match: { size: small }, price_usd: 0.01 }]
    parameters_schema: { type: object, properties: { size: { enum: [small, large], default: small } } }
    routes: [{ provider: first, upstream_model: x }]
  - id: ours
    members_only: true
    pricing_tiers: [{ match: {}, price_usd: 0.000000001 }]
    routes: [{ provider: first, upstream_model: y }]
  - id: nobodys
    pricing_tiers: [{ match: {}, price_usd: 1 }]
  - id: film
    output_modalities: [video]
    pricing:
      per: second
      times: duration
      tiers: [{ match: { audio: true }, price_usd: 0.2 }, { match: {}, price_usd: 0.1, next_price_usd: 0.05 }]
    parameters_schema:
      type: object
      properties: { duration: { enum: ["5", "10"], default: "5" }, audio: { type: boolean } }
    routes: [{ provider: first, upstream_model: z }]
  - id: chat
    name: Chat
    description: It talks.
    input_modalities: [text, image]
    llm: { input_cost_per_million: 0.15, output_cost_per_million: 0.60, context_length: 128000, max_output_tokens: 16384 }
    supports: [vision, reasoning]
  - id: trainer
    output_modalities: [file]
    gpu: { price_per_second: 0.0008, max_seconds: 1800 }
    routes: [{ provider: worker }]
`);
const provider: Provider = { submit: () => Promise.reject(new Error("is not asked here")) };
const ctx = (member: boolean) =>
  ({
    hub: { catalogue, env: readEnv({}), providers: { sandbox: provider } },
    account: { member },
    actor: { kind: "user" },
  }) as unknown as Ctx<Hub>;
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (isAppError(error)) return error.code;
    throw error;
  }
  return "none";
};

test("prices an input", () => {
  expect(priceInput(ctx(false), "picture", {})).toEqual({ estimated_cost: 0.0092, currency: "EUR" });
  expect(priceInput(ctx(true), "ours", {})).toEqual({ estimated_cost: 1e-9, currency: "EUR" });
  expect(priceInput(ctx(true), "film", {})).toEqual({ estimated_cost: 0.276, currency: "EUR" });
  expect(priceInput(ctx(true), "film", { duration: "10", audio: true }).estimated_cost).toBe(1.84);
});

test("errors are checked in the order model, input, route", () => {
  expect(codeOf(() => priceInput(ctx(false), "unknown", { size: "huge" }))).toBe("model_not_found");
  expect(codeOf(() => priceInput(ctx(false), "constructor", {}))).toBe("model_not_found");
  expect(codeOf(() => priceInput(ctx(false), "nobodys", { size: "huge" }))).toBe("invalid_input");
  expect(codeOf(() => priceInput(ctx(false), "nobodys", {}))).toBe("no_route_available");
  expect(codeOf(() => priceInput(ctx(false), "picture", { size: "large" }))).toBe("no_route_available");
});

test("a model for members is neither found nor listed by others", () => {
  expect(codeOf(() => getModel(ctx(false), "ours"))).toBe("model_not_found");
  expect(getModel(ctx(true), "ours").id).toBe("ours");
  expect(listModels(ctx(false)).map(({ id }) => id)).toEqual(["picture", "nobodys", "film", "chat", "trainer"]);
  expect(listModels(ctx(true)).map(({ id }) => id)).toEqual(["picture", "ours", "nobodys", "film", "chat", "trainer"]);
});

test("serializes models for the API", () => {
  const withoutDescription = {
    object: "model",
    created: 0,
    owned_by: "Generation Hub",
    description: null,
    input_modalities: ["text"],
    output_modalities: ["text"],
    currency: "EUR",
    is_llm: false,
    parameters_schema: { type: "object", properties: {} },
    pricing_tiers: null,
    input_cost_per_million: null,
    output_cost_per_million: null,
    context_length: null,
    max_output_tokens: null,
    cached_input_cost_per_million: null,
    cache_write_cost_per_million: null,
    cache_write_long_cost_per_million: null,
    audio_input_cost_per_million: null,
    image_input_cost_per_million: null,
    reasoning_cost_per_million: null,
    audio_output_cost_per_million: null,
    long_context: null,
    service_tiers: null,
    implicit_cache_writes: null,
    supports_vision: false,
    supports_tools: false,
    supports_structured_output: false,
    supports_reasoning: false,
  };
  const seen = (id: string) => serializeModel(catalogue.get(id)!);
  expect(seen("ours")).toEqual({
    ...withoutDescription,
    id: "ours",
    name: "ours",
    pricing_tiers: [{ match: {}, price_usd: 1e-9 }],
  });
  expect(seen("film")).toMatchObject({
    unit: "second",
    pricing_tiers: [
      { match: { audio: true }, price_usd: 0.2 },
      { match: {}, price_usd: 0.1, next_price_usd: 0.05 },
    ],
  });
  expect(seen("trainer")).toEqual({
    ...withoutDescription,
    id: "trainer",
    name: "trainer",
    output_modalities: ["file"],
    gpu_price_per_second: 0.0008,
  });
  expect(seen("chat")).toEqual({
    ...withoutDescription,
    id: "chat",
    name: "Chat",
    description: "It talks.",
    input_modalities: ["text", "image"],
    is_llm: true,
    input_cost_per_million: 0.15,
    output_cost_per_million: 0.6,
    context_length: 128_000,
    max_output_tokens: 16_384,
    supports_vision: true,
    supports_reasoning: true,
  });
  expect(seen("picture").parameters_schema).toEqual({
    type: "object",
    properties: { size: { enum: ["small", "large"], default: "small" } },
  });
});

test("serializes prices in EUR, with what they depend on", () => {
  const prices = (id: string) => serializePrices({ env: readEnv({}) }, catalogue.get(id)!);
  expect(prices("film")).toEqual({
    by: "tier",
    unit: "second",
    parameters: ["duration", "audio"],
    tiers: [
      { match: { audio: true }, euros: 0.184, next: null },
      { match: {}, euros: 0.092, next: 0.046 },
    ],
  });
  expect(prices("picture")).toMatchObject({ unit: null, parameters: ["size"] });
  expect(prices("nobodys")).toMatchObject({ unit: null, parameters: [] });
});
