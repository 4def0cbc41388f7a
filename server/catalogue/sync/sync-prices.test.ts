import { describe, expect, test } from "vitest";
import { parseDecimal } from "../../lib/money";
import { runAtOnce } from "../../lib/slices";
import { parseCatalogue } from "../parse";
import { listEntryPaths } from "./entry-paths";
import { pickEntries } from "./pick-entries";
import { type PriceSync, syncPrices } from "./sync-prices";

const providers = `
providers:
  - { id: openai, kind: openai, base_url: "https://api.openai.com/v1" }
  - { id: grok, kind: openai, base_url: "https://api.x.ai/v1/" }
  - { id: deepseek, kind: openai, base_url: "https://proxy.example/v1" }
  - { id: google, kind: openai, base_url: "https://generativelanguage.googleapis.com/v1beta/openai" }
`;

interface Options {
  rate?: string;
  models?: string[];
  maxChange?: number;
}

function sync(models: string, list: object, { rate = "1", models: named, maxChange = 1e9 }: Options = {}): PriceSync {
  const text = `${models.includes("margin:") ? "" : "margin: 1.25"}${providers}${models}`;
  const parsed = parseCatalogue(text, { file: "FILE", variables: {} });
  const paths = parsed.models.flatMap(({ routes }) => routes.flatMap(listEntryPaths));
  const entries = runAtOnce(pickEntries(Buffer.from(JSON.stringify(list)), paths));
  const options = { eurPerUsd: parseDecimal(rate), margin: parsed.margin, models: named ?? null, maxChange };
  return syncPrices(parsed, { file: "FILE", text }, entries, options);
}

/** Returns the prices of the models after a comparison, by their ids. */
function pricesAfter(...values: Parameters<typeof sync>) {
  const { text } = sync(...values);
  const { models } = parseCatalogue(text, { file: "RESULT", variables: {} });
  return Object.fromEntries(
    models.map(({ id, pricing, routes }) => {
      if (pricing.by !== "token") throw new Error("is not priced by tokens");
      const { perMillion, longContext, serviceTiers } = pricing;
      return [id, { perMillion, longContext, serviceTiers, cost: routes[0]!.tokenCosts }];
    }),
  );
}

/** Returns prices as the catalogue holds them. */
const nano = (prices: Record<string, string>) =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, parseDecimal(price)]));

const model = (route: string, llm = "input_cost_per_million: 2, output_cost_per_million: 8", rest = "") => `
models:
  - id: m
    llm: { ${llm}, max_output_tokens: 100 }
    routes: [{ ${route}${rest} }]
`;
const sol = "provider: openai, upstream_model: gpt-6.1-sol";

const litellmSol = {
  litellm_provider: "openai",
  input_cost_per_token: 2e-6,
  output_cost_per_token: 1e-5,
  cache_read_input_token_cost: 1e-7,
  cache_creation_input_token_cost: 2.5e-6,
  cache_creation_input_token_cost_above_12hr: 5e-6,
  input_cost_per_token_above_272k_tokens: 4e-6,
  output_cost_per_token_above_272k_tokens: 1.5e-5,
  cache_read_input_token_cost_above_272k_tokens: 2e-7,
  cache_creation_input_token_cost_above_272k_tokens: 5e-6,
  cache_creation_input_token_cost_above_12hr_above_272k_tokens: 1e-5,
  input_cost_per_token_flex: 1e-6,
  output_cost_per_token_flex: 5e-6,
  input_cost_per_token_priority: 4e-6,
  output_cost_per_token_priority: 2e-5,
  input_cost_per_token_batches: 1e-6,
  search_context_cost_per_query: { search_context_size_low: 0.01 },
};

describe("litellm", () => {
  test("brings every class, length and offered tier, times the rate and the margin", () => {
    const tiers = "input_cost_per_million: 2, output_cost_per_million: 8, service_tiers: { priority: 1.5 }";
    const after = pricesAfter(model(sol, tiers), { "gpt-6.1-sol": litellmSol }, { rate: "0.92" });
    expect(after.m).toEqual({
      perMillion: nano({ input: "2.3", cached_input: "0.115", cache_write: "2.875", cache_write_long: "5.75", output: "11.5" }), // prettier-ignore
      longContext: [
        {
          above: 272_000,
          perMillion: nano({ input: "4.6", cached_input: "0.23", cache_write: "5.75", cache_write_long: "11.5", output: "17.25" }), // prettier-ignore
        },
      ],
      // `flex` is not offered, so it is not added.
      serviceTiers: nano({ priority: "2" }),
      cost: null,
    });
  });

  test("reads audio, images, reasoning and the older name of cached input", () => {
    const entry = {
      input_cost_per_token: 2.5e-6,
      output_cost_per_token: 1e-5,
      input_cost_per_token_cache_hit: 1e-6,
      input_cost_per_audio_token: 3.2e-5,
      input_cost_per_image_token: 5e-6,
      output_cost_per_reasoning_token: 1.2e-5,
      output_cost_per_audio_token: 6.4e-5,
    };
    const after = pricesAfter(`margin: 1${model(sol)}`, { "openai/gpt-6.1-sol": entry });
    expect(after.m!.perMillion).toEqual(
      nano({ input: "2.5", output: "10", cached_input: "1", audio_input: "32", image_input: "5", reasoning: "12", audio_output: "64" }), // prettier-ignore
    );
  });

  test("a class that costs what plain tokens do, or nothing, gets no price", () => {
    const entry = {
      litellm_provider: "openai",
      input_cost_per_token: 2e-6,
      output_cost_per_token: 8e-6,
      input_cost_per_image_token: 2e-6,
      output_cost_per_reasoning_token: 8e-6,
      cache_creation_input_token_cost: 0,
    };
    const after = pricesAfter(`margin: 1${model(sol)}`, { "gpt-6.1-sol": entry });
    expect(after.m!.perMillion).toEqual(nano({ input: "2", output: "8" }));
  });

  test("xAI charges more from its length on, others above it", () => {
    const long = { input_cost_per_token_above_200k_tokens: 4e-6, output_cost_per_token_above_200k_tokens: 1.2e-5 };
    const entry = { input_cost_per_token: 2e-6, output_cost_per_token: 6e-6, ...long };
    const list = { "xai/grok-4.7": entry, "gemini/gemini-3.1-pro": entry };
    const above = (route: string) => pricesAfter(model(route), list).m!.longContext.map((length) => length.above);
    expect(above("provider: grok, upstream_model: grok-4.7")).toEqual([199_999]);
    expect(above("provider: google, upstream_model: gemini-3.1-pro")).toEqual([200_000]);
  });

  test("DeepSeek is priced at its peak", () => {
    const off_peak_pricing = { input_cost_per_token: 6.6e-7, output_cost_per_token: 1.98e-6, windows: [] };
    const entry = { litellm_provider: "deepseek", input_cost_per_token: 1.32e-6, output_cost_per_token: 3.96e-6 };
    const list = { "deepseek-v4-pro": { ...entry, off_peak_pricing } };
    // The id of the provider names the maker, because its address does not.
    const after = pricesAfter(`margin: 1${model("provider: deepseek, upstream_model: deepseek-v4-pro")}`, list);
    expect(after.m!.perMillion).toEqual(nano({ input: "1.32", output: "3.96" }));
  });

  test("a tier multiplies by the factor of its dearest class", () => {
    const entry = {
      litellm_provider: "openai",
      input_cost_per_token: 2e-6,
      output_cost_per_token: 8e-6,
      cache_read_input_token_cost: 2e-7,
      input_cost_per_token_flex: 1e-6,
      output_cost_per_token_flex: 4e-6,
      cache_read_input_token_cost_flex: 1.5e-7,
    };
    const llm = "input_cost_per_million: 2, output_cost_per_million: 8, service_tiers: { flex: 0.5 }";
    expect(pricesAfter(model(sol, llm), { "gpt-6.1-sol": entry }).m!.serviceTiers).toEqual(nano({ flex: "0.75" }));
  });

  test("an entry of another maker with the same name does not count", () => {
    const list = { "gpt-6.1-sol": { ...litellmSol, litellm_provider: "azure" }, "azure/gpt-6.1-sol": litellmSol };
    expect(sync(model(sol), list)).toMatchObject({ models: [], missing: ["m"] });
  });
});

describe("models.dev", () => {
  const listOf = (cost: object, id = "gpt-6.1-sol", provider = "openai") => ({
    [provider]: { id: provider, models: { [id]: { id, limit: { context: 1 }, cost } } },
  });
  const cost = {
    input: 2,
    output: 10,
    cache_read: 0.1,
    cache_write: 2.5,
    reasoning: 12,
    input_audio: 32,
    output_audio: 64,
  };

  test("brings classes and lengths", () => {
    const tier = { type: "context", size: 272_000 };
    const tiers = [{ tier, input: 4, output: 15, cache_read: 0.2, cache_write: 5, input_audio: 40, output_audio: 70 }];
    const old = { context_over_200k: { input: 99, output: 99 } };
    const after = pricesAfter(`margin: 1${model(sol)}`, listOf({ ...cost, tiers, ...old }));
    expect(after.m).toEqual({
      perMillion: nano({ input: "2", output: "10", cached_input: "0.1", cache_write: "2.5", reasoning: "12", audio_input: "32", audio_output: "64" }), // prettier-ignore
      longContext: [
        {
          above: 272_000,
          perMillion: nano({ input: "4", output: "15", cached_input: "0.2", cache_write: "5", audio_input: "40", audio_output: "70" }), // prettier-ignore
        },
      ],
      serviceTiers: {},
      cost: null,
    });
  });

  test("older lists have one length", () => {
    const old = { input: 2, output: 6, context_over_200k: { input: 4, output: 12 } };
    const after = pricesAfter(model("provider: grok, upstream_model: grok-4.7"), listOf(old, "grok-4.7", "xai"));
    expect(after.m!.longContext.map(({ above }) => above)).toEqual([199_999]);
  });

  test("tiers of other kinds are ignored, and a length must be a number", () => {
    const tiersOf = (tier: object) => sync(model(sol), listOf({ ...cost, tiers: [{ tier, input: 4, output: 15 }] }));
    expect(tiersOf({ type: "time", size: "night" }).models[0]!.updates[0]!.then.longContext).toEqual([]);
    for (const size of ["9", 0, 1.5, null, 1e300])
      expect(() => tiersOf({ type: "context", size })).toThrow("The price list has a length that is no whole number.");
  });

  test("a model without prices is not in the list", () => {
    expect(sync(model(sol), { openai: { models: { "gpt-6.1-sol": { id: "x" } } } }).missing).toEqual(["m"]);
  });
});

describe("margins", () => {
  const entry = { litellm_provider: "openai", input_cost_per_token: 3e-6, output_cost_per_token: 8e-6 };
  const list = { "gpt-6.1-sol": entry };

  test("a price keeps its ratio to the route's own cost, which becomes that of the list", () => {
    const own = ", llm_cost: { input_cost_per_million: 2, output_cost_per_million: 8 }";
    const llm = "input_cost_per_million: 3, output_cost_per_million: 8.4";
    const compared = sync(model(sol, llm, own), list);
    expect(compared.models[0]!.rows).toEqual([
      expect.objectContaining({ route: null, then: parseDecimal("4.5"), percent: 50, margin: { now: 1, then: 1.5 }, listed: parseDecimal(3) }), // prettier-ignore
      expect.objectContaining({
        route: "openai:gpt-6.1-sol",
        now: parseDecimal(2),
        then: parseDecimal(3),
        margin: null,
      }),
    ]);
    const { perMillion, cost } = pricesAfter(model(sol, llm, own), list).m!;
    expect([perMillion, cost!.perMillion]).toEqual([nano({ input: "4.5", output: "8.4" }), nano({ input: "3", output: "8" })]); // prettier-ignore
  });

  test("a class that neither had gets the margin of plain tokens; one that has a price never falls below it", () => {
    const own = ", llm_cost: { input_cost_per_million: 3, output_cost_per_million: 8 }";
    const cached = { "gpt-6.1-sol": { ...entry, cache_read_input_token_cost: 3e-7 } };
    const plain = "input_cost_per_million: 6, output_cost_per_million: 8";
    expect(pricesAfter(model(sol, plain, own), cached).m!.perMillion).toEqual(nano({ input: "6", output: "8", cached_input: "0.6" })); // prettier-ignore
    const priced = `${plain}, cached_input_cost_per_million: 0.9`;
    expect(pricesAfter(model(sol, priced, own), cached).m!.perMillion).toMatchObject(nano({ cached_input: "0.9" }));
  });

  test("the route that needs the highest price decides, and one that is not listed keeps the price", () => {
    const routes = (second: string) => `
models:
  - id: m
    llm: { input_cost_per_million: 4, output_cost_per_million: 10, max_output_tokens: 100 }
    routes: [{ ${sol} }, { ${second} }]
`;
    const other = "provider: grok, upstream_model: grok-4.7";
    const dear = { "xai/grok-4.7": { input_cost_per_token: 5e-6, output_cost_per_token: 1e-6 } };
    expect(pricesAfter(`margin: 1${routes(other)}`, { ...list, ...dear }).m!.perMillion).toEqual(nano({ input: "5", output: "8" })); // prettier-ignore
    expect(pricesAfter(`margin: 1${routes(other)}`, list).m!.perMillion).toEqual(nano({ input: "4", output: "10" }));
  });

  test("a length of one route is not sold below what another one takes there", () => {
    const routes = `
models:
  - id: m
    llm: { input_cost_per_million: 4, output_cost_per_million: 8, max_output_tokens: 100 }
    routes: [{ ${sol} }, { provider: grok, upstream_model: grok-4.7 }]
`;
    const short = { "gpt-6.1-sol": { ...entry, input_cost_per_token: 5e-6 } };
    const long = {
      input_cost_per_token: 2e-6,
      output_cost_per_token: 1e-6,
      input_cost_per_token_above_200k_tokens: 3e-6,
    };
    const after = pricesAfter(`margin: 1${routes}`, { ...short, "xai/grok-4.7": long });
    expect(after.m).toMatchObject({
      perMillion: nano({ input: "5", output: "8" }),
      longContext: [{ above: 199_999, perMillion: nano({ input: "5", output: "8" }) }],
    });
  });

  test("a length that the list does not have stays, and never costs less than shorter prompts", () => {
    const length = "long_context: [{ above: 128000, input_cost_per_million: 4, output_cost_per_million: 4 }]";
    const llm = `input_cost_per_million: 2, output_cost_per_million: 2, ${length}`;
    const after = pricesAfter(`margin: 1${model(sol, llm)}`, list);
    expect(after.m!.longContext).toEqual([{ above: 128_000, perMillion: nano({ input: "4", output: "8" }) }]);
  });

  test("a list compared twice changes nothing the second time", () => {
    const own = ", llm_cost: { input_cost_per_million: 0.7, output_cost_per_million: 0.3 }";
    const models = `margin: 1.17${model(sol, "input_cost_per_million: 1.1, output_cost_per_million: 0.4", own)}`;
    const odd = { "gpt-6.1-sol": { litellm_provider: "openai", input_cost_per_token: 1.23e-6, output_cost_per_token: 4.57e-7, cache_read_input_token_cost: 1.7e-8 } }; // prettier-ignore
    const first = sync(models, odd, { rate: "0.917" });
    expect(first.models[0]!.rows.length).toBeGreaterThan(3);
    const again = sync(first.text.replace(providers, ""), odd, { rate: "0.917" });
    expect(again.models[0]!.rows).toEqual([]);
    expect(again.text).toBe(first.text);
  });
});

describe("what is left out", () => {
  const list = {
    "gpt-6.1-sol": { litellm_provider: "openai", input_cost_per_token: 2e-6, output_cost_per_token: 1.21e-5 },
  };
  const priced = model(sol, "input_cost_per_million: 2.5, output_cost_per_million: 10");

  test("a model whose price changes by more than the threshold, unless it is named", () => {
    const refused = sync(priced, list, { maxChange: 50 });
    expect(refused.models[0]!.issue).toEqual({ message: "changes by 51.3%, more than 50%", isLarge: true });
    expect(refused.text).toContain("output_cost_per_million: 10,");
    expect(sync(priced, list, { maxChange: 51.3 }).text).toContain("output_cost_per_million: 15.125,");
    expect(sync(priced, list, { maxChange: 50, models: ["m"] }).text).toContain("output_cost_per_million: 15.125,");
    const cheap = {
      "gpt-6.1-sol": { litellm_provider: "openai", input_cost_per_token: 9.8e-7, output_cost_per_token: 8e-6 },
    };
    expect(sync(priced, cheap, { maxChange: 50 }).models[0]!.issue?.message).toMatch(/-?51/);
    const free = model(sol, "input_cost_per_million: 0, output_cost_per_million: 15.125");
    expect(sync(free, list, { maxChange: 1e9 }).models[0]!.issue).toEqual({
      message: "has a price that was 0",
      isLarge: true,
    });
  });

  test("a model that would be invalid, even if it is named", () => {
    const llm = "input_cost_per_million: 2, output_cost_per_million: 8, cache_write_cost_per_million: 3";
    const long = { input_cost_per_token_above_200k_tokens: 4e-6 };
    const entry = { "gpt-6.1-sol": { litellm_provider: "openai", input_cost_per_token: 2e-6, output_cost_per_token: 8e-6, ...long } }; // prettier-ignore
    const { models, text } = sync(model(sol, llm), entry, { models: ["m"] });
    expect(models[0]!.issue).toEqual({
      message: "would be invalid: long_context[0].cache_write_cost_per_million is required, because shorter prompts have this price", // prettier-ignore
      isLarge: false,
    });
    expect(models[0]!.unlisted).toEqual(["Cache write"]);
    expect(text).not.toContain("long_context");
  });

  test("no model whose route's cost may lack what a price may not", () => {
    const own = ", llm_cost: { input_cost_per_million: 2, output_cost_per_million: 8, cache_write_long_cost_per_million: 4 }"; // prettier-ignore
    expect(
      sync(model(sol, "input_cost_per_million: 2, output_cost_per_million: 8", own), list).models[0]!.issue,
    ).toBeNull();
  });

  test("models that are not named, and none that the catalogue does not have", () => {
    const two = `${priced}  - { id: other, llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 1 }, routes: [{ ${sol} }] }\n`; // prettier-ignore
    expect(sync(two, list, { models: ["other"] }).models.map((one) => one.model)).toEqual(["other"]);
    expect(() => sync(two, list, { models: ["nobody"] })).toThrow("FILE has no text model nobody: it has m, other.");
    expect(sync(two, list).text).not.toMatch(/id: gpt|id: new/);
  });
});
