import { expect, test } from "vitest";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { connectClient } from "./clients";

const host = await openRunningHost({ RATE_LIMIT_WRITES_PER_MINUTE: "2", BASE_URL: "https://hub.test" });
const { key } = await newCustomer(host.hub);
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const accept = "application/json, text/event-stream";

const send = (headers: Record<string, string>, body: unknown = list, method = "POST") =>
  fetch(`${host.url}/mcp`, {
    method,
    headers: { accept, "content-type": "application/json", ...headers },
    body: method === "POST" ? (typeof body === "string" ? body : JSON.stringify(body)) : undefined,
  });
const authorized = { authorization: `Bearer ${key}` };

test.each<[string, Record<string, string>]>([
  ["without a key", {}],
  ["with a wrong key", { authorization: "Bearer service_sk_wrong" }],
  ["with a session cookie alone", { cookie: ".AspNetCore.Cookies=abc", "x-requested-with": "XMLHttpRequest" }],
])("a request %s is 401", async (_case, headers) => {
  const reply = await send(headers);
  expect(reply.status).toBe(401);
  expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer /);
  expect(await reply.json()).toMatchObject({ code: "unauthorized" });
});

test.each([
  ["null", 403],
  ["nonsense", 403],
  ["https://hub.test", 200],
  ["https://agent.example", 200],
])("the Origin %s is %i", async (origin, status) => {
  expect((await send({ ...authorized, origin })).status).toBe(status);
});

test("pages of any origin may send a key, and no cookie", async () => {
  const preflight = await send(
    {
      origin: "https://agent.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,mcp-protocol-version",
    },
    undefined,
    "OPTIONS",
  );
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
  expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
});

test.each(["GET", "DELETE", "PUT"])("%s is 405", async (method) => {
  const reply = await send(authorized, undefined, method);
  expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
});

test.each<[string, unknown, number]>([
  ["no JSON", "{", 400],
  ["too large", JSON.stringify({ ...list, params: { x: "x".repeat(2_100_000) } }), 413],
  ["nested too deeply", "[".repeat(100) + "]".repeat(100), 400],
  ["too many messages", Array.from({ length: 21 }, (_, id) => ({ ...list, id })), 400],
])("a body that is %s is rejected", async (_case, body, status) => {
  expect((await send(authorized, body)).status).toBe(status);
});

test("answers carry the headers of the API", async () => {
  const reply = await send({ ...authorized, "x-request-id": "request-1234" });
  expect(reply.headers.get("x-request-id")).toBe("request-1234");
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("ratelimit")).toMatch(/"reads";r=/);
});

test("calls that spend count as writes", async () => {
  const client = await connectClient("v2", host.url, (await newCustomer(host.hub)).key);
  const call = () => client.call("generate", { model: "sandbox-image", input: { prompt: "a" }, wait_seconds: 0 });
  const answers = [await call(), await call(), await call()];
  expect(answers.map(({ isError }) => isError)).toEqual([false, false, true]);
  expect(answers[2]!.error).toMatchObject({ code: "rate_limited", retry_after: expect.any(Number) as number });
});

test("rejected calls are counted, and are among the account's rejected requests", async () => {
  const customer = await newCustomer(host.hub);
  const client = await connectClient("v2", host.url, customer.key);
  await client.call("describe_model", { id: "nothing" });
  await expect
    .poll(() =>
      host.hub.db.query("SELECT path, code, message FROM rejected_request WHERE account_id = $1", [customer.account]),
    )
    .toEqual([{ path: "/mcp", code: "model_not_found", message: "describe_model: Model not found" }]);
  expect(host.hub.metrics.registry.render()).toContain(
    'hub_refusals_total{code="model_not_found",error_type="caller_invalid"} 1',
  );
});
