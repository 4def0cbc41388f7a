import { expect, test } from "vitest";
import { catalogueOf } from "../../../test/catalogue";
import type { Ctx } from "../../context";
import { readEnv } from "../../env";
import type { Provider } from "../../providers/provider";
import type { Hub } from "../hub";
import { findLarger } from "./find-larger";

const PICTURE = "https://hub.example.org/api/v1/hub/files/1";
const provider: Provider = { submit: () => Promise.reject(new Error("is not asked here")) };
const routes = "routes: [{ provider: first, upstream_model: x }]";
const upscaler = (needed: string, upscalerRoutes = routes) => `
  - id: upscaler
    name: Upscaler
    input_modalities: [text, image]
    output_modalities: [image]
    pricing_tiers: [{ match: {}, price_usd: 0.05 }]
    parameters_schema:
      type: object
      required: [${needed}]
      properties: { image: { type: array, items: { type: string, format: uri } }, scale: { type: integer } }
    ${upscalerRoutes}`;
const findWith = (models: string, input: Record<string, unknown>, picture?: string) => {
  const catalogue = catalogueOf(`
  - id: painter
    pricing_tiers: [{ match: { size: 1k }, price_usd: 0.01 }, { match: {}, price_usd: 0.02 }]
    parameters_schema: { type: object, properties: { size: { enum: [1k, 2k], default: 1k } } }
    ${routes}${models}`);
  const hub = { catalogue, env: readEnv({}), providers: { sandbox: provider } };
  const ctx = { hub, account: { member: false }, actor: { kind: "user" } } as unknown as Ctx<Hub>;
  return findLarger(ctx, { model: "painter", input, picture });
};
const byUpscaler = { model: "upscaler", enlarger: "Upscaler", cost: 0.046 };
const bySize = { model: "painter", enlarger: null, cost: 0.0184 };

test("a picture is enlarged by a model that needs nothing but one, any other result made in the next size", () => {
  expect(findWith(upscaler("image"), {}, PICTURE)).toEqual(byUpscaler);
  expect(findWith(upscaler("image"), { size: "2k" }, PICTURE)).toEqual(byUpscaler);
  expect(findWith(upscaler("image"), {})).toEqual(bySize);
  expect(findWith(upscaler("image, scale"), {}, PICTURE)).toEqual(bySize);
  expect(findWith("", {}, PICTURE)).toEqual(bySize);
});

test("nothing is offered that the hub would reject", () => {
  expect(findWith("", { size: "2k" }, PICTURE)).toBeNull();
  expect(findWith("", { size: "1k", colour: "blue" })).toBeNull();
  expect(findWith(upscaler("image", "routes: []"), {}, PICTURE)).toEqual(bySize);
});
