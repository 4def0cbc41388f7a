import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCatalogue } from "../../../server/catalogue/parse";

test("the documented catalogue is valid", () => {
  const file = "docs/providers/replicate.md";
  const [, yaml] = /```yaml\n([^`]*)```/.exec(readFileSync(file, "utf8"))!;
  const { models, warnings } = parseCatalogue(yaml!, { file, variables: { REPLICATE_API_TOKEN: "r8_key" } });
  expect(warnings).toEqual([]);
  expect(models.map(({ routes }) => routes.map(({ id }) => id))).toEqual([
    ["replicate:black-forest-labs/flux-schnell"],
  ]);
  expect(models[0]!.routes[0]!.provider).toMatchObject({ baseUrl: "https://api.replicate.com/v1" });
});
