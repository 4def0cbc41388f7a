import { afterAll, expect, test } from "vitest";
import { openDouble } from "../../../test/providers/double";
import { openOpenaiDouble } from "../../../test/providers/openai/double";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import { openai } from "./openai";

const double = await openOpenaiDouble();
afterAll(() => double.close());

function check(model: string, { baseUrl = double.baseUrl, ...change }: { baseUrl?: string; apiKey?: string } = {}) {
  const { route } = buildJob({ ...buildProvider("openai", baseUrl), ...change }, model, {});
  return openai.check!(route, { ...buildIo(), now: () => new Date("2026-11-22") });
}

test("finds the model in the list, and asks for nothing that is paid", async () => {
  expect(await check("gpt-image-2.5-flare")).toBeNull();
  expect(double.requests.map(({ method, url }) => [method, url.pathname])).toEqual([["GET", "/v1/models"]]);
  expect(double.accepted).toEqual([]);
});

test("names a model that the provider does not have, or shuts down soon", async () => {
  expect(await check("dall-e-3")).toBe('The provider has no model "dall-e-3".');
  expect(await check("gpt-image-1.5")).toBe('The provider shuts "gpt-image-1.5" down on 2026-12-01.');
  expect(await check("gpt-4o-mini-tts")).toBe('The provider shuts "gpt-4o-mini-tts" down on 2027-01-06.');
});

test("names a key that the provider does not accept, and one that cannot be reached", async () => {
  expect(await check("gpt-image-2.5-flare", { apiKey: "wrong" })).toBe(
    "The provider does not accept the key (status 401).",
  );
  const gone = await openOpenaiDouble();
  await gone.close();
  expect(await check("gpt-image-2.5-flare", { baseUrl: gone.baseUrl })).toBe("The provider cannot be reached.");
});

test.each<[string, number, unknown, string | null]>([
  ["Google's names", 200, { data: [{ id: "models/gemini-3.8-flash" }] }, null],
  ["the first of several pages", 200, { data: [], has_more: true }, null],
  ["no such list", 404, "404 page not found", null],
  ["another page", 200, "<html>", null],
  ["an outage", 500, {}, "The provider's models could not be read (status 500)."],
])("reads %s", async (_case, status, body, expected) => {
  const server = await openDouble({
    ...{ isSubmit: () => false, respond: () => ({ status, body }), describeError: () => undefined },
  });
  expect(await check("gemini-3.8-flash", { baseUrl: server.url })).toBe(expected);
  await server.close();
});
