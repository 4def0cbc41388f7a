import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { parseCatalogue } from "../../../server/catalogue/parse";
import { runAudit } from "../../../server/domain/audit/audit";
import { callApi } from "../../api/call";
import { type Customer, newCustomer } from "../../api/customer";
import { catalogueWith } from "../../catalogue";
import { openChatHost } from "../../chat/host";
import { API_KEY, openDouble } from "./double";

const host = await openChatHost();
const { hub, url } = host;
const double = await openDouble();
afterAll(() => double.close());

let customer: Customer;
beforeEach(async () => {
  const { models } = parseCatalogue(
    `providers: [{ id: claude, kind: anthropic, base_url: "${double.url}", api_key: "${API_KEY}" }]
models:
  - id: opus
    llm: { input_cost_per_million: 4, output_cost_per_million: 20, cache_write_cost_per_million: 5,
      context_length: 200000, max_output_tokens: 32000 }
    supports: [tools, reasoning]
    routes: [{ provider: claude, upstream_model: claude-opus-5-5 }]`,
    { file: "test", variables: {} },
  );
  hub.catalogue = new Map([...hub.catalogue, ...catalogueWith(models)]);
  customer = await newCustomer(hub);
});
afterEach(async () => {
  await expect.poll(() => hub.chats.size).toBe(0);
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

/** What a client of Responses sends to a route that has Messages. */
const request = { model: "opus", input: "hello", max_output_tokens: 500 };
const answerHello = () => double.answerNext({ content: [{ type: "text", text: "Hello there" }] });

test("a client of Responses gets a response", async () => {
  answerHello();
  const { status, body } = await callApi(host, "POST", "/v1/responses", { key: customer.key, body: request });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: "response",
    status: "completed",
    output: [{ type: "message", content: [{ type: "output_text", text: "Hello there" }] }],
  });
  expect(body).not.toHaveProperty("stop_reason");
});

test("a client of Responses gets its own events alone", async () => {
  answerHello();
  const response = await fetch(`${url}/v1/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...request, stream: true }),
  });
  const types = [...(await response.text()).matchAll(/^event: (.*)$/gm)].map(([, type]) => type!);
  expect(types.filter((type) => !type.startsWith("response."))).toEqual([]);
  expect(types).toContain("response.output_text.delta");
  expect(types.at(-1)).toBe("response.completed");
});
