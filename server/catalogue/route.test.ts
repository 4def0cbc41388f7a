import { expect, test } from "vitest";
import { modelFrom, issuesOf } from "../../test/catalogue";

const parameters = `
    parameters_schema:
      type: object
      required: [prompt]
      properties:
        prompt: { type: string }
        ratio: { enum: ["1:1", "16:9", "4:3"], default: "1:1" }
        duration: { type: integer, minimum: 3, maximum: 15, default: 5 }
        audio: { type: boolean, default: false }
        mode: { enum: [present, other], default: other }
        image_input: { type: array, maxItems: 4, items: { type: string, format: uri } }`;

/** A model with a route of kind fal, whose settings follow on lines of their own from line 22. */
const withRoute = (settings: string) => `
providers:
  - { id: fal, kind: fal, api_key: k }
  - { id: studio, kind: comfyui, base_url: "http://10.0.0.5:8188" }
  - { id: box, kind: cog, base_url: "http://10.0.0.6:5000" }
models:
  - id: m
    pricing_tiers: [{ match: {}, price_usd: 1 }]${parameters}
    routes:
      - provider: fal
        upstream_model: text
${settings}
`;

test("reads every setting of a route", () => {
  const { routes } = modelFrom(
    withRoute(`
        when:
          - { match: { image_input: present }, upstream_model: edit, price_usd: 0.05 }
          - { match: { ratio: "4:3" }, price_usd: 0.07 }
        rename: { prompt: text }
        values: { ratio: { "1:1": square_hd, "16:9": { width: 16, height: 9 } }, duration: { 5: short }, audio: { true: loud } }
        as: { duration: string, image_input: numbered(picture) }
        set: { safety: true, format: png }
        accepts: { mode: [other] }
        inputs: inline
        price_usd: 0.04
        retry_started: 2
        retires_at: 2026-12-01`),
  );
  expect(routes[0]).toMatchObject({
    id: "fal:text",
    when: [
      { match: { image_input: "present" }, upstreamModel: "edit", priceUsd: 50_000_000n },
      { match: { ratio: "4:3" }, upstreamModel: null, priceUsd: 70_000_000n },
    ],
    rename: { prompt: "text" },
    values: {
      ratio: new Map<string, unknown>([
        ['"1:1"', "square_hd"],
        ['"16:9"', { width: 16, height: 9 }],
      ]),
      duration: new Map([["5", "short"]]),
      audio: new Map([["true", "loud"]]),
    },
    as: { duration: { to: "string" }, image_input: { to: "numbered", name: "picture" } },
    set: { safety: true, format: "png" },
    accepts: { mode: ["other"], ratio: ["1:1", "16:9"], duration: [5], audio: [true] },
    inputs: "inline",
    priceUsd: 40_000_000n,
    retryStarted: 2,
    retiresAt: "2026-12-01",
  });
});

test("reports issues of a route, each with its line", () => {
  const issues = issuesOf(
    withRoute(`
        when:
          - { match: { mode: present, nothing: present }, upstream_model: edit }
          - { match: { ratio: "2:1" } }
        rename: { prompt: text, image_input: picture }
        values: { ratio: { "2:1": wide }, nothing: { a: b } }
        as: { duration: text, image_input: first(text), nothing: string }
        set: { audio: true, a b: 1 }
        accepts: { ratio: ["1:1"] }
        inputs: carrier-pigeon
        price_usd: 0.0000000001
        retry_started: 9
        retires_at: 2026-02-30
        workflow: { 1: {} }
        outputs: ["1"]`),
  );
  expect(issues).toEqual([
    "FILE:24: models[0].routes[0].when[0].match.mode: is ambiguous: present is a value of the parameter, and says whether it is given",
    "FILE:24: models[0].routes[0].when[0].match.nothing: is not a parameter of the model",
    'FILE:25: models[0].routes[0].when[1].match.ratio: "2:1" is not a valid value of the parameter',
    "FILE:25: models[0].routes[0].when[1]: changes nothing: add upstream_model or price_usd",
    "FILE:27: models[0].routes[0].values.nothing: is not a parameter of the model",
    'FILE:27: models[0].routes[0].values.ratio["2:1"]: "2:1" is not a valid value of the parameter',
    "FILE:28: models[0].routes[0].as.duration: must be string, number, members, first(name) or numbered(name)",
    "FILE:28: models[0].routes[0].as.nothing: is not a parameter of the model",
    "FILE:28: models[0].routes[0].as.image_input: already has another name by rename",
    "FILE:28: models[0].routes[0].as.image_input: gives two parameters the name text",
    'FILE:29: models[0].routes[0].set["a b"]: must start with a letter and contain only letters, digits, _ . and -',
    "FILE:29: models[0].routes[0].set.audio: is also a parameter",
    "FILE:30: models[0].routes[0].accepts.ratio: is already limited to the keys of values",
    "FILE:31: models[0].routes[0].inputs: must be one of link, upload, inline, read",
    "FILE:32: models[0].routes[0].price_usd: must be a decimal from 0 to 1000 with at most nine decimal places",
    "FILE:33: models[0].routes[0].retry_started: must be at most 5",
    "FILE:34: models[0].routes[0].retires_at: must be a date such as 2026-12-01",
    "FILE:35: models[0].routes[0].workflow: is only for providers of kind comfyui",
    "FILE:36: models[0].routes[0].outputs: is only for providers of kind comfyui",
  ]);
});

test("spreads the members of mapped values", () => {
  const sizes = '{ "1:1": { width: 1, height: 1 }, "4:3": { width: 4, height: 3 } }';
  const withMembers = (values: string, as = "ratio: members") =>
    issuesOf(withRoute(`        values: { ${values} }\n        as: { ${as} }`)).map((issue) =>
      issue.replace(/^.*\]\./, ""),
    );
  expect(withMembers(`ratio: ${sizes}`)).toEqual([]);
  const rule = "as.ratio: needs values for the parameter, each of them a mapping";
  expect(withMembers('ratio: { "1:1": square }')).toEqual([rule]);
  expect(withMembers("audio: { true: loud }")).toEqual([rule]);
  expect(withMembers(`ratio: ${sizes}`, "ratio: members, image_input: first(width)")).toEqual([
    "as.image_input: gives two parameters the name width",
  ]);
});

test("a server of one model needs no upstream model", () => {
  expect(issuesOf(withRoute("      - provider: box"))).toEqual([]);
  expect(issuesOf(withRoute("      - provider: fal"))).toEqual([
    "FILE:22: models[0].routes[1].upstream_model: is required for a provider of kind fal",
  ]);
});

const nodes = `{ "3": { class_type: KSampler, inputs: { seed: 1 } }, "6": { class_type: Text, inputs: { text: a, other: b } } }`;

test("reads a workflow with its bindings", () => {
  const { routes } = modelFrom(
    withRoute(`
      - provider: studio
        rename: { prompt: text }
        workflow: ${nodes}
        bind: { text: "6.text", image_input.0: "6.other" }
        outputs: ["3"]`),
  );
  expect(routes[1]!.workflow).toMatchObject({
    nodes: { 3: { class_type: "KSampler" } },
    bind: { text: ["6", "text"], "image_input.0": ["6", "other"] },
    outputs: ["3"],
  });
});

test.each([
  ["", "workflow: is required for a provider of kind comfyui"],
  ["workflow: flux.json", "workflow: is not the mapping of a workflow"],
  [
    "workflow: { nodes: [], links: [] }",
    "workflow: is not in ComfyUI's API format at node nodes: save it by Export (API)",
  ],
  ["workflow: {}", "workflow: has no nodes"],
  [`workflow: ${nodes}, outputs: ["9"]`, "outputs[0]: is not a node of the workflow: 9"],
  [`workflow: ${nodes}, bind: { prompt: text }`, 'bind.prompt: must be a node and an input, such as "6.text"'],
  [`workflow: ${nodes}, bind: { prompt: 7.text }`, "bind.prompt: names the unknown node 7"],
  [`workflow: ${nodes}, bind: { prompt: 6.seed }`, "bind.prompt: names the unknown input seed of node 6"],
  [`workflow: ${nodes}, bind: { colour: 6.text }`, "bind.colour: is not a parameter of the model"],
  [
    `workflow: ${nodes}, bind: { prompt: 6.text, ratio: 6.text }`,
    "bind.ratio: is bound to the same input as another: 6.text",
  ],
])("rejects a workflow: %s", (settings, issue) => {
  const route = `      - { provider: studio${settings && `, ${settings}`} }`;
  expect(issuesOf(withRoute(route))).toEqual([`FILE:22: models[0].routes[1].${issue}`]);
});

test.each(["responses", "single_system"])("%s is only for text models of providers with OpenAI's API", (name) => {
  const text = (price: string) => `
providers: [{ id: claude, kind: anthropic, api_key: k }]
models:
  - id: m
    ${price}
    routes: [{ provider: claude, upstream_model: x, ${name}: true }]`;
  const issue = `FILE:6: models[0].routes[0].${name}: is only for`;
  const llm = "llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 100 }";
  expect(issuesOf(text(llm))).toContain(`${issue} providers of kind openai, and this one is of kind anthropic`);
  expect(issuesOf(text("pricing_tiers: [{ match: {}, price_usd: 1 }]"))).toContain(`${issue} models priced by llm`);
});
