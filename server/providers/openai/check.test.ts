import { afterAll, expect, test } from "vitest";
import { openDouble } from "../../../test/providers/double";
import { KEY, openOpenaiDouble } from "../../../test/providers/openai/double";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import { openai } from "./openai";

const double = await openOpenaiDouble();
afterAll(() => double.close());

interface Change {
  baseUrl?: string;
  apiKey?: string;
  retiresAt?: string | null;
}

function check(model: string, { baseUrl = double.baseUrl, retiresAt = null, ...change }: Change = {}) {
  const { route } = buildJob({ ...buildProvider("openai", baseUrl), ...change }, model, {});
  return openai.check!({ ...route, retiresAt }, { ...buildIo(), now: () => new Date("2026-11-22") });
}

test("finds the model in the list, and asks for nothing that is paid", async () => {
  expect(await check("gpt-image-2.5-flare")).toBeNull();
  expect(double.requests.map(({ method, url }) => [method, url.pathname])).toEqual([["GET", "/v1/models"]]);
  expect(double.accepted).toEqual([]);
});

test("names a model that the provider does not have, or is about to shut down", async () => {
  expect(await check("dall-e-3")).toBe('The provider has no model "dall-e-3".');
  const warning = 'The provider shuts "gpt-image-1.5" down on 2026-12-01, which is not the route\'s retires_at.';
  expect(await check("gpt-image-1.5")).toBe(warning);
  expect(await check("gpt-image-1.5", { retiresAt: "2027-01-01" })).toBe(warning);
  expect(await check("gpt-image-1.5", { retiresAt: "2026-12-01" })).toBeNull();
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
    isSubmit: () => false,
    respond: () => ({ status, body }),
    describeError: () => undefined,
  });
  expect(await check("gemini-3.8-flash", { baseUrl: server.url })).toBe(expected);
  await server.close();
});

test("reads Anthropic's list with the header of its own API", async () => {
  const server = await openDouble({
    isSubmit: () => false,
    respond: ({ headers }) =>
      headers["x-api-key"] === KEY && headers["anthropic-version"] !== undefined
        ? { status: 200, body: { data: [{ type: "model", id: "claude-sonnet-5-5" }], has_more: false } }
        : { status: 401, body: { error: { type: "authentication_error", message: "x-api-key header is required" } } },
    describeError: () => undefined,
  });
  expect(await check("claude-sonnet-5-5", { baseUrl: server.url })).toBeNull();
  expect(await check("claude-2", { baseUrl: server.url })).toBe('The provider has no model "claude-2".');
  await server.close();
});
