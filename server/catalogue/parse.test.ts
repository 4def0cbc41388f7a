import fc from "fast-check";
import { expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { issuesOf } from "../../test/catalogue";
import { seed, soakCount } from "../../test/soak";
import { CatalogueError } from "./catalogue-error";
import { providers as registry } from "../providers/registry";
import { hasProviderPrefix } from "../catalogue-variables";
import { kindRules, providerKinds } from "./provider-kinds";
import { sandboxCatalogue } from "../providers/sandbox/models";
import { buildSandbox, parseCatalogue } from "./parse";

const variables = { OPENAI_API_KEY: "sk-1", LOCAL_KEY: "local-2", LOCAL_URL: "http://127.0.0.1:8000/v1" };
const parse = (text: string, values: Record<string, string> = variables) =>
  parseCatalogue(text, { file: "FILE", variables: values });

const findIssues = (text: string) => issuesOf(text, variables);

/** A catalogue with every setting. */
const example = `
providers:
  - { id: openai, kind: openai, base_url: "https://api.openai.com/v1", api_key: "\${OPENAI_API_KEY}" }
  - { id: local, kind: openai, base_url: "\${LOCAL_URL}", api_key: "\${LOCAL_KEY}" }
  - { id: pictures, kind: sandbox }
models:
  - id: gpt-4o-mini                      # ids match [a-z0-9][a-z0-9._:-]*
    name: GPT-4o mini
    input_modalities: [text, image]
    output_modalities: [text]
    llm: { input_cost_per_million: 0.15, output_cost_per_million: 0.60, context_length: 128000, max_output_tokens: 16384 }   # EUR
    supports: [vision, tools, structured_output]
    routes: [{ provider: openai, upstream_model: gpt-4o-mini }, { provider: local, upstream_model: llama }]
  - id: flux-schnell
    name: FLUX schnell
    members_only: false
    input_modalities: [text]
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string, maxLength: 4000 }, aspect_ratio: { enum: ["1:1", "16:9"] } } }
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes:                              # tried in order; the next one only when the first surely did not start the work
      - { provider: sandbox, upstream_model: black-forest-labs/flux-schnell }
      - { provider: pictures, upstream_model: fal-ai/flux/schnell, rename: { aspect_ratio: image_size }, accepts: { aspect_ratio: ["1:1"] } }
  - id: my-lora-trainer
    mark_outputs: false
    output_modalities: [file]
    gpu: { price_per_second: 0.0008, max_seconds: 1800 }   # EUR; estimate = price × max_seconds; billed for time used
    routes: [{ provider: worker }]
`;

test("reads every setting of a catalogue", () => {
  const { models, providers, warnings } = parse(example);
  expect(warnings).toEqual([]);
  const unlimited = {
    missing: [],
    keyVariable: null,
    keyWeight: 1,
    isRetired: false,
    maxInFlight: null,
    perMinute: null,
    spendLimitPerDay: null,
  };
  const builtIn = { ...unlimited, baseUrl: null, hasOwnBaseUrl: false, apiKey: null };
  const own = { ...unlimited, kind: "openai", hasOwnBaseUrl: true };
  const [openai, local, sandbox, pictures, worker] = [
    { ...own, id: "openai", baseUrl: "https://api.openai.com/v1", apiKey: "sk-1", keyVariable: "OPENAI_API_KEY" },
    { ...own, id: "local", baseUrl: "http://127.0.0.1:8000/v1", apiKey: "local-2", keyVariable: "LOCAL_KEY" },
    { ...builtIn, id: "sandbox", kind: "sandbox" },
    { ...builtIn, id: "pictures", kind: "sandbox" },
    { ...builtIn, id: "worker", kind: "worker" },
  ].map((provider) => ({ ...provider, catalogueId: provider.id }));
  expect(providers).toEqual([sandbox, worker, openai, local, pictures]);
  const plain = {
    when: [],
    rename: {},
    values: {},
    as: {},
    set: {},
    accepts: {},
    defaults: {},
    refuse: [],
    inputs: null,
    outputLimit: null,
    responses: false,
    singleSystem: false,
    priceUsd: null,
    tokenCosts: null,
    entry: 0,
    weight: 1,
    retryStarted: 0,
    onUnknown: "fail",
    onError: "fail",
    retiresAt: null,
    workflow: null,
  };
  const price = { first: 3_000_000n, next: 3_000_000n };
  const free = { ...plain, retryStarted: 2 };
  const none = { vision: false, tools: false, structuredOutput: false, reasoning: false };
  expect(models).toEqual([
    {
      id: "gpt-4o-mini",
      name: "GPT-4o mini",
      description: null,
      membersOnly: false,
      marksOutputs: true,
      isLlm: true,
      inputModalities: ["text", "image"],
      outputModalities: ["text"],
      parametersSchema: { type: "object", properties: {} },
      pricing: {
        by: "token",
        perMillion: { input: 150_000_000n, output: 600_000_000n },
        longContext: [],
        serviceTiers: {},
        writesImplicitly: false,
        contextLength: 128_000,
        maxOutputTokens: 16_384,
      },
      supports: { vision: true, tools: true, structuredOutput: true, reasoning: false },
      timeoutSeconds: 600,
      routing: "order",
      routes: [
        { id: "openai:gpt-4o-mini", provider: openai, upstreamModel: "gpt-4o-mini", ...plain },
        { id: "local:llama", provider: local, upstreamModel: "llama", ...plain, entry: 1 },
      ],
    },
    {
      id: "flux-schnell",
      name: "FLUX schnell",
      description: null,
      membersOnly: false,
      marksOutputs: true,
      isLlm: false,
      inputModalities: ["text"],
      outputModalities: ["image"],
      parametersSchema: {
        type: "object",
        required: ["prompt"],
        properties: { prompt: { type: "string", maxLength: 4000 }, aspect_ratio: { enum: ["1:1", "16:9"] } },
      },
      pricing: { by: "tier", tiers: [{ match: {}, price, cost: price }], unit: null, quantity: null },
      supports: none,
      timeoutSeconds: 600,
      routing: "order",
      routes: [
        {
          ...free,
          id: "sandbox:black-forest-labs/flux-schnell",
          provider: sandbox,
          upstreamModel: "black-forest-labs/flux-schnell",
        },
        {
          ...free,
          id: "pictures:fal-ai/flux/schnell",
          provider: pictures,
          upstreamModel: "fal-ai/flux/schnell",
          entry: 1,
          rename: { aspect_ratio: "image_size" },
          accepts: { aspect_ratio: ["1:1"] },
        },
      ],
    },
    {
      id: "my-lora-trainer",
      name: "my-lora-trainer",
      description: null,
      membersOnly: false,
      marksOutputs: false,
      isLlm: false,
      inputModalities: ["text"],
      outputModalities: ["file"],
      parametersSchema: { type: "object", properties: {} },
      pricing: { by: "gpu-second", pricePerSecond: 800_000n, maxSeconds: 1800 },
      supports: none,
      timeoutSeconds: 1800,
      routing: "order",
      routes: [{ id: "worker", provider: worker, upstreamModel: null, ...plain }],
    },
  ]);
});

test("keeps a provider without its variables, and its routes, with one warning", () => {
  const { models, providers, warnings } = parse(example, { LOCAL_URL: "", LOCAL_KEY: "k" });
  expect(warnings).toEqual([
    "provider openai is left out: OPENAI_API_KEY is not set",
    "provider local is left out: LOCAL_URL is not set",
  ]);
  expect(providers.flatMap(({ id, missing }) => (missing.length > 0 ? [[id, ...missing]] : []))).toEqual([
    ["openai", "OPENAI_API_KEY"],
    ["local", "LOCAL_URL"],
  ]);
  expect(models.map(({ routes }) => routes.length)).toEqual([2, 2, 1]);
});

test.each<[string, Record<string, string>, string]>([
  ["the maker's own address by an empty default", {}, "https://api.replicate.com/v1"],
  ["the default of an empty variable", { REPLICATE_KEY: "" }, "https://api.replicate.com/v1"],
  ["the address in the variable", { REPLICATE_URL: "http://127.0.0.1:9/v1/" }, "http://127.0.0.1:9/v1"],
])("a provider has %s", (_, variables, baseUrl) => {
  const text = `
providers: [{ id: up, kind: replicate, base_url: "\${REPLICATE_URL:-}", api_key: "\${REPLICATE_KEY:-none}" }]
models: [{ id: m, pricing_tiers: [{ match: {}, price_usd: 1 }], routes: [{ provider: up, upstream_model: a/b }] }]`;
  const { provider } = parseCatalogue(text, { file: "test", variables }).models[0]!.routes[0]!;
  expect(provider).toMatchObject({ baseUrl, apiKey: "none", missing: [] });
});

test.each([
  ["HUB_SECRET", "names HUB_SECRET, a setting of the hub, which a catalogue may not read"],
  ["SMTP_URL_FILE", "names SMTP_URL_FILE, a setting of the hub, which a catalogue may not read"],
  ["OPENAI_WAIT_SECONDS", "names OPENAI_WAIT_SECONDS, a setting of the hub, which a catalogue may not read"],
  [
    "AWS_SECRET_ACCESS_KEY",
    "names AWS_SECRET_ACCESS_KEY, which begins like no provider's variable: list it in CATALOGUE_VARIABLES in the hub's environment",
  ],
])("a provider may not name %s, also not with a default", (name, message) => {
  for (const variable of [`\${${name}}`, `\${OPENAI_API_KEY:-}\${${name}:-x}`]) {
    const text = `models: []\nproviders:\n  - id: up\n    kind: openai\n    base_url: "https://up.example/${variable}"\n    api_key: "${variable}"`;
    expect(issuesOf(text, { OPENAI_API_KEY: "k" })).toEqual([
      `FILE:5: providers[0].base_url: ${message}`,
      `FILE:6: providers[0].api_key: ${message}`,
    ]);
  }
});

test("accepts an OpenAI-compatible server without a key", () => {
  const { models } = parse(`
providers: [{ id: local, kind: openai, base_url: "http://127.0.0.1:11434/v1/" }]
models:
  - id: llama
    llm: { input_cost_per_million: 0, output_cost_per_million: "0.000000001", max_output_tokens: 10 }
    routes: [{ provider: local, upstream_model: llama, refuse: [tools] }]
`);
  expect(models[0]!.routes).toMatchObject([
    { provider: { baseUrl: "http://127.0.0.1:11434/v1", apiKey: null }, refuse: ["tools"] },
  ]);
  expect(models[0]!.pricing).toMatchObject({ perMillion: { input: 0n, output: 1n }, contextLength: null });
});

test("reports all issues at once, each with its line", () => {
  const invalid = `providers:
  - { id: fal, kind: fall, api_key: x }
  - { id: local, kind: openai }
  - { id: openai, kind: openai, base_url: "ftp://x", api_key: "two words" }
  - { id: openai, kind: openai, base_url: "https://u:p@x" }
  - { id: worker, kind: openai, base_url: "http://x" }
  - { id: mine, kind: worker, api_key: x, max_in_flight: 1 }
models:
  - id: Big Name
    nmae: x
    pricing_tiers:
      - match: { size: 1k }
        price_usd: 0.0000000001
      - { match: { ratio: "4:3" }, price_usd: -1 }
    parameters_schema:
      type: object
      properties:
        ratio: { enum: ["1:1"], default: "2:1" }
    routes:
      - provider: nobody
        upstream_model: x
      - { provider: local }
      - provider: sandbox
        rename: { ratio: size, scale: size }
        accepts: { ratio: ["1:1", "9:9"], other: [1] }
      - { provider: sandbox }
  - id: sandbox-image
    routes: []
  - id: same
    llm: { input_cost_per_million: 1, output_cost_per_million: 1 }
    gpu: { price_per_second: 1, max_seconds: 0 }
    routes: [{ provider: worker }]
  - id: same
    timeout_seconds: 86401
    pricing_tiers: []
    supports: [sight]
  - 7
`;
  expect(findIssues(invalid)).toEqual([
    "FILE:2: providers[0].kind: must be one of anthropic, bfl, cog, comfyui, fal, gemini, openai, replicate, sandbox, worker",
    "FILE:3: providers[1].base_url: is required",
    "FILE:4: providers[2].base_url: must be an http(s) URL without credentials or query",
    "FILE:4: providers[2].api_key: must be printable characters without spaces",
    "FILE:5: providers[3].id: openai is already used",
    "FILE:5: providers[3].base_url: must be an http(s) URL without credentials or query",
    "FILE:6: providers[4].id: is reserved for the built-in provider of kind worker",
    "FILE:7: providers[5].api_key: is not a setting of a provider of kind worker",
    "FILE:7: providers[5].max_in_flight: is not a setting of a provider of kind worker",
    "FILE:9: models[0].id: must match [a-z0-9][a-z0-9._:-]* and have at most 128 characters",
    "FILE:10: models[0].nmae: is not a setting",
    "FILE:12: models[0].pricing_tiers[0].match.size: is not a parameter of the model",
    "FILE:13: models[0].pricing_tiers[0].price_usd: must be a decimal from 0 to 1000 with at most nine decimal places",
    "FILE:14: models[0].pricing_tiers[1].price_usd: must be a decimal from 0 to 1000 with at most nine decimal places",
    'FILE:14: models[0].pricing_tiers[1].match.ratio: "4:3" is not a valid value of the parameter',
    "FILE:18: models[0].parameters_schema.properties.ratio.default: is not a valid value of the parameter",
    'FILE:20: models[0].routes[0].provider: is not a provider: "nobody"',
    "FILE:22: models[0].routes[1].upstream_model: is required for a provider of kind openai",
    "FILE:24: models[0].routes[2].rename.scale: is not a parameter of the model",
    "FILE:24: models[0].routes[2].rename.scale: gives two parameters the name size",
    "FILE:25: models[0].routes[2].accepts.other: is not a parameter of the model",
    'FILE:25: models[0].routes[2].accepts.ratio[1]: "9:9" is not a valid value of the parameter',
    "FILE:26: models[0].routes[3]: duplicates a route: the same provider and upstream_model",
    "FILE:27: models[1].id: is the id of a sandbox model",
    "FILE:27: models[1]: has no price: add llm, gpu, pricing_tiers or pricing",
    "FILE:30: models[2].llm.max_output_tokens: is required",
    "FILE:31: models[2].gpu.max_seconds: must be at least 1",
    "FILE:31: models[2].gpu: conflicts with another price: llm",
    "FILE:32: models[2].routes[0].provider: is of kind worker, which serves only models priced by gpu",
    "FILE:33: models[3].id: same is already used",
    "FILE:34: models[3].timeout_seconds: must be at most 86400",
    "FILE:35: models[3].pricing_tiers: must have at least 1 item",
    "FILE:36: models[3].supports[0]: must be one of vision, tools, structured_output, reasoning",
    "FILE:37: models[4]: must be a mapping of names to values",
  ]);
});

const prices = {
  llm: {
    input_cost_per_million: 1,
    output_cost_per_million: 1,
    cache_write_cost_per_million: 1,
    max_output_tokens: 10,
  },
  gpu: { price_per_second: 1, max_seconds: 1 },
  pricing_tiers: [{ match: {}, price_usd: 1 }],
  pricing: { per: "image", tiers: [{ match: {}, price_usd: 1 }] },
};
test("a catalogue may name the variables of every kind of provider", () => {
  const kinds = providerKinds.filter((kind) => kindRules[kind].api_key !== "none");
  expect(kinds.filter((kind) => !hasProviderPrefix(`${kind.toUpperCase()}_API_KEY`))).toEqual([]);
});

const kinds = providerKinds.flatMap((kind) =>
  (Object.keys(prices) as (keyof typeof prices)[]).map((price) => [kind, price] as const),
);

test.each(kinds)(
  "accepts a route of kind %s for a model priced by %s, and warns if nothing serves it",
  (kind, price) => {
    const settings = kind === "worker" || kind === "sandbox" ? {} : { base_url: "http://x", api_key: "k" };
    const workflow = kind === "comfyui" ? { workflow: { 1: { class_type: "SaveImage", inputs: {} } } } : {};
    const route = { provider: "p", upstream_model: "x", ...workflow };
    const model = { id: "m", name: "M", [price]: prices[price], routes: [route] };
    const text = JSON.stringify({ margin: 1, providers: [{ id: "p", kind, ...settings }], models: [model] });
    if ((kind === "worker") !== (price === "gpu")) {
      const rule = kind === "worker" ? "serves only models priced by gpu" : "needs a provider of kind worker";
      expect(findIssues(text)).toEqual([expect.stringContaining(`routes[0].provider: is of kind ${kind}`)]);
      expect(findIssues(text)).toEqual([expect.stringContaining(rule)]);
      return;
    }
    const provider = registry[kind];
    const isServed = kind === "worker" || (price === "llm" ? provider?.chat : provider?.submit) !== undefined;
    const { warnings } = parse(text);
    expect(warnings.filter((warning) => warning.includes("is never used"))).toHaveLength(isServed ? 0 : 1);
  },
);

/** Returns the path of every value inside a value. */
const listPaths = (value: unknown): (string | number)[][] => [
  [],
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => listPaths(inner).map((path) => [name, ...path]))
    : []),
];

function put(value: unknown, [name, ...rest]: (string | number)[], replacement: unknown): unknown {
  if (name === undefined) return replacement;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = put(copy[name], rest, replacement);
  return copy;
}

/** Settings that the example above does not have. */
const mediaExample = `
margin: 1.25
providers: [{ id: studio, kind: comfyui, base_url: "http://10.0.0.5:8188", max_in_flight: 1, per_minute: 9, spend_limit_usd: 5 }]
models:
  - id: prints
    routing: cheapest
    parameters_schema:
      type: object
      properties:
        n: { type: integer, minimum: 1, maximum: 4, default: 1 }
        size: { enum: [small, large], default: small }
        text: { type: string, maxLength: 100, default: "" }
        pictures: { type: array, maxItems: 4, items: { type: string, format: uri } }
    pricing:
      per: megapixel
      times: n
      size: { size: { small: 1, large: 4 } }
      inputs: { pictures: 2 }
      tiers: [{ match: { pictures: present, size: large }, price_usd: 0.02, next_price_usd: 0.01 }, { match: {}, price_usd: 0.01 }]
    routes:
      - provider: studio
        upstream_model: a
        when: [{ match: { pictures: present }, upstream_model: b, price_usd: 0.02 }]
        rename: { n: count }
        values: { size: { small: { width: 1, height: 1 }, large: { width: 2, height: 2 } } }
        as: { size: members, n: string, pictures: numbered(picture) }
        set: { format: png }
        accepts: { n: [1, 2] }
        inputs: upload
        price_usd: 0.01
        retry_started: 1
        retires_at: 2027-01-01
        workflow: { "6": { class_type: Text, inputs: { text: a, width: 1 } } }
        bind: { text: 6.text, width: 6.width }
        outputs: ["6"]
  - id: film
    pricing: { per: second, times: n, tiers: [{ match: {}, price_usd: 1 }] }
    parameters_schema: { type: object, properties: { n: { enum: ["5", 10], default: "5" } } }
    routes: [{ provider: sandbox }]
`;

test(
  "parses a catalogue with any value anywhere, or reports its issues, each with a line",
  { timeout: 900_000 },
  () => {
    const examples: unknown[] = [parseYaml(example), parseYaml(mediaExample)];
    const places = examples.flatMap((whole) => listPaths(whole).map((path) => ({ whole, path })));
    const unusualValues = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom(
        0,
        -1,
        1e300,
        "",
        "object",
        "openai",
        "${X}",
        "__proto__",
        "present",
        "2026-12-01",
        "n",
        [],
        [[]],
        {},
        { type: "object" },
        null,
      ),
      fc.dictionary(
        fc.constantFrom("type", "properties", "pattern", "items", "anyOf", "__proto__", "id"),
        fc.jsonValue(),
      ),
    );
    const outcomes = { parsed: 0, rejected: 0 };
    fc.assert(
      fc.property(fc.constantFrom(...places), unusualValues, ({ whole, path }, value) => {
        const text = JSON.stringify(put(whole, path, value), null, 1);
        try {
          parse(text);
          outcomes.parsed += 1;
        } catch (error) {
          if (!(error instanceof CatalogueError)) throw error;
          expect(error.issues.filter(({ line, message }) => line < 1 || !message)).toEqual([]);
          outcomes.rejected += 1;
        }
      }),
      { seed, numRuns: soakCount(300, 20_000) },
    );
    expect(Math.min(outcomes.parsed, outcomes.rejected)).toBeGreaterThan(20);
  },
);

test("the sandbox is valid, and offers what the same text would", () => {
  const own = sandboxCatalogue.map((model) => ({ ...model, id: `own-${model.id}` }));
  const { models, warnings } = parseCatalogue(JSON.stringify({ models: own }), { file: "sandbox", variables: {} });
  expect(warnings).toEqual([]);
  expect(models.map((model) => ({ ...model, id: model.id.replace(/^own-/, "") }))).toEqual(buildSandbox());
});
