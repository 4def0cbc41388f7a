import { expect, test } from "vitest";
import { modelOf } from "../../../test/catalogue";
import { parseCatalogue } from "../../catalogue/parse";
import { isAppError } from "../../errors";
import type { Hub } from "../hub";
import type { Provider } from "../../providers/provider";
import { chooseRoutes, findRoutes } from "./find-routes";
import { toUpstreamInput } from "./route-parameters";

const provider: Provider = { chat: () => Promise.reject(new Error("is not asked here")) };
const hub = { providers: { sandbox: provider } };

const model = modelOf(`
  - id: m
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }
    parameters_schema:
      type: object
      properties:
        prompt: { type: string }
        aspect_ratio: { enum: ["1:1", "16:9", "4:3"], default: "1:1" }
        format: { enum: [png, webp, tiff] }
        image_input: { type: array }
        loud: { type: boolean, default: false }
    routes:
      - { provider: openai, upstream_model: a }
      - { provider: first, upstream_model: b, accepts: { aspect_ratio: ["16:9"], format: [png], image_input: [] } }
      - { provider: second, upstream_model: c, accepts: { aspect_ratio: ["1:1"], format: [webp], loud: [false] }, rename: { aspect_ratio: size, prompt: text } }
`);

const ids = (input: Record<string, unknown>, on: Pick<Hub, "providers"> = hub) =>
  chooseRoutes(on, model, input).map(({ id }) => id);
function rejection(input: Record<string, unknown>, on: Pick<Hub, "providers"> = hub) {
  try {
    ids(input, on);
  } catch (error) {
    if (!isAppError(error)) throw error;
    expect(error.code).toBe("no_route_available");
    return error.extras.unrepresentable;
  }
  throw new Error("was not refused");
}

test("finds the routes that support the input, in order", () => {
  expect(ids({ aspect_ratio: "16:9" })).toEqual(["first:b"]);
  expect(ids({ aspect_ratio: "16:9", format: "png", prompt: "anything" })).toEqual(["first:b"]);
  expect(ids({ aspect_ratio: "16:9" }, { providers: { ...hub.providers, openai: provider } })).toEqual([
    "openai:a",
    "first:b",
  ]);
});

test("an omitted parameter counts with its default", () => {
  expect(ids({})).toEqual(["second:c"]);
  expect(ids({ loud: false, image_input: ["https://a"] })).toEqual(["second:c"]);
});

test("names inputs that no route supports", () => {
  expect(rejection({ aspect_ratio: "4:3" })).toEqual(["/input/aspect_ratio"]);
  expect(rejection({ aspect_ratio: "4:3", format: "tiff" })).toEqual(["/input/aspect_ratio", "/input/format"]);
});

test("names all inputs if only their combination is unsupported", () => {
  expect(rejection({ aspect_ratio: "16:9", format: "webp" })).toEqual(["/input/format", "/input/aspect_ratio"]);
});

test("names no input for a model without a usable route", () => {
  expect(rejection({}, { providers: {} })).toEqual([]);
  expect(findRoutes({ providers: {} }, model, {})).toEqual([]);
});

test("a route whose provider lacks a variable is kept but never found", () => {
  const { models } = parseCatalogue(
    `
providers: [{ id: keyless, kind: sandbox }, { id: up, kind: openai, base_url: "https://up.example", api_key: "\${OPENAI_NOT_SET}" }]
models:
  - id: m
    llm: { input_cost_per_million: 1, output_cost_per_million: 1, max_output_tokens: 10 }
    routes: [{ provider: up, upstream_model: a }, { provider: keyless, upstream_model: b }]
`,
    { file: "test", variables: {} },
  );
  const both = { providers: { openai: provider, sandbox: provider } };
  expect(models[0]!.routes.map(({ id }) => id)).toEqual(["up:a", "keyless:b"]);
  expect(findRoutes(both, models[0]!).map(({ id }) => id)).toEqual(["keyless:b"]);
  const alone = { ...models[0]!, routes: models[0]!.routes.slice(0, 1) };
  expect(findRoutes(both, alone)).toEqual([]);
  expect(() => chooseRoutes(both, alone, {})).toThrow("No route can serve this model");
});

test("an upstream input has the route's names and the priced defaults", () => {
  const input = { prompt: "a tree", image_input: [] };
  const route = findRoutes(hub, model, input)[0]!;
  expect(toUpstreamInput(route, input)).toEqual({ text: "a tree", size: "1:1", image_input: [], loud: false });
  expect(input).toEqual({ prompt: "a tree", image_input: [] });
  const bare = { ...route, rename: {}, defaults: { a: 1, b: 2 } };
  expect(toUpstreamInput(bare, { b: null, constructor: 3 })).toEqual({ a: 1, b: null, constructor: 3 });
});
