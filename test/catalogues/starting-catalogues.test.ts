import { describe, expect, test } from "vitest";
import type { ProviderKind } from "../../server/catalogue/model";
import { getDefaults } from "../../server/catalogue/subschemas";
import { estimateCost } from "../../server/domain/pricing/estimate";
import { unsupportedParameters } from "../../server/domain/routing/find-routes";
import { readEnv } from "../../server/env";
import { providers } from "../../server/providers/registry";
import { catalogueFiles, listInputs, parseStartingCatalogue, readStartingCatalogue } from "./starting-catalogues";

test("there is a catalogue for each maker, and a mixed one", () => {
  expect(catalogueFiles).toEqual(
    [
      "anthropic",
      "bfl",
      "cog",
      "comfyui",
      "deepseek",
      "fal",
      "gemini-chat",
      "gemini",
      "mistral",
      "mixed",
      "openai-chat",
      "openai",
      "replicate",
      "xai",
    ].map((name) => `${name}.yaml`),
  );
  expect(parseStartingCatalogue("mixed.yaml").models.map(({ id }) => id)).toEqual([
    "flux-schnell",
    "flux-2-pro",
    "flux-2-klein",
    "gpt-image-2.5-flare",
    "gpt-image-2.6-flare",
    "gpt-image-2.6-sunburst",
    "nano-banana-2.1",
    "seedream-4.5",
    "recraft-v4",
    "qwen-image-2",
    "kling-3",
    "seedance-2.5",
    "flux-3-video",
    "eleven-v3",
    "transcribe",
    "remove-background",
  ]);
});

describe.each(catalogueFiles)("%s", (name) => {
  const text = readStartingCatalogue(name);
  const { models, warnings } = parseStartingCatalogue(name);

  test("is valid and has nothing to warn of", () => {
    // A build without a provider kind, or with only a part of it, warns of each of its routes.
    const isOfMissingKind = (warning: string) => {
      const [, kind] = /is never used: kind (\w+)/.exec(warning) ?? [];
      return kind !== undefined && providers[kind as ProviderKind]?.submit === undefined;
    };
    expect(warnings.filter((warning) => !isOfMissingKind(warning))).toEqual([]);
  });

  test("every price has its date, beside it or above its list", () => {
    const lines = text.split("\n");
    const isDated = (index: number): boolean => {
      const line = lines[index] ?? "";
      if (/#.*\b20\d\d\b/.test(line)) return true;
      return /price_usd|_cost_per_million|- above|^\s*#/.test(line) && isDated(index - 1);
    };
    const prices = lines.flatMap((line, index) => (/(price_usd|_per_million): \d/.test(line) ? [index] : []));
    expect(prices.length).toBeGreaterThan(0);
    expect(prices.filter((index) => !isDated(index)).map((index) => lines[index])).toEqual([]);
  });

  test("every input has a price, and a route if it is an ordinary one", () => {
    const hub = { env: readEnv({}) };
    for (const model of models) {
      expect(model.routes.length, model.id).toBeGreaterThan(0);
      for (const input of listInputs(model)) {
        const { cost } = estimateCost(hub, model, { ...getDefaults(model.parametersSchema), ...input });
        expect(cost, model.id).toBeGreaterThan(0n);
        const able = model.routes.filter((route) => unsupportedParameters(route, input).length === 0);
        expect(able.length, `${model.id} ${JSON.stringify(input)}`).toBeGreaterThan(0);
      }
    }
  });
});
