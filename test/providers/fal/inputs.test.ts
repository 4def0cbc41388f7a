import { readFileSync } from "node:fs";
import type { EndpointTypeMap } from "@fal-ai/client/endpoints";
import { expect, test } from "vitest";
import { parseCatalogue } from "../../../server/catalogue/parse";
import { toUpstreamInput } from "../../../server/domain/routing/route-parameters";

/** What fal gets for an example of each documented model. The compiler compares it with the types of fal's client. */
const upstreamInputs = {
  "fal-ai/flux/schnell": { prompt: "a tree", image_size: "landscape_16_9", seed: 7 },
  "fal-ai/kling-video/v3/standard/text-to-video": { prompt: "a tree", duration: "5", generate_audio: true },
  "fal-ai/birefnet/v2": { image_url: "https://v3.fal.media/files/input.png" },
} satisfies { [Endpoint in keyof EndpointTypeMap]?: EndpointTypeMap[Endpoint]["input"] };

const inputs = [
  ["flux-schnell", { prompt: "a tree", image_size: "landscape_16_9", seed: 7 }],
  ["kling-3", { prompt: "a tree", sound: true }],
  ["remove-background", { image: "https://v3.fal.media/files/input.png" }],
] as const;

const [, yaml] = /```yaml\n([^`]*)```/.exec(readFileSync("docs/providers/fal.md", "utf8"))!;
const catalogue = parseCatalogue(yaml!, { file: "fal.md", variables: { FAL_KEY: "test-key" } });

test.each(inputs)("the documented %s sends an input of its endpoint", (id, input) => {
  const { routes } = catalogue.models.find((model) => model.id === id)!;
  expect(routes).toHaveLength(1);
  const endpoint = routes[0]!.upstreamModel as keyof typeof upstreamInputs;
  expect(toUpstreamInput(routes[0]!, input)).toEqual(upstreamInputs[endpoint]);
});

test("every documented model is compared", () => {
  expect(catalogue.warnings).toEqual([]);
  expect(catalogue.models.map(({ id }) => id)).toEqual(inputs.map(([id]) => id));
  expect(catalogue.providers).toContainEqual(
    expect.objectContaining({ kind: "fal", baseUrl: "https://queue.fal.run" }),
  );
});
