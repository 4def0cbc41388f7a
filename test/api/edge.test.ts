import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { errorTable } from "../../server/errors";
import { callApi } from "./call";
import { type Customer, newCustomer } from "./customer";
import { openSmokeHosts } from "./hosts";

const hosts = await openSmokeHosts();
const GENERATIONS = "/api/v1/hub/generations";
/** A page of another origin, and the headers that it may read. */
const APP = "https://app.example";
const EXPOSED = [
  "X-Request-Id",
  "X-Generation-Id",
  "RateLimit",
  "Retry-After",
  "Location",
  "Idempotent-Replayed",
  "ETag",
];

describe.each(hosts)("the edge on $name", (host) => {
  let customer: Customer;
  beforeAll(async () => {
    customer = await newCustomer(host.hub);
  });
  const create = (body: unknown, headers?: Record<string, string>) =>
    callApi(host, "POST", GENERATIONS, { key: customer.key, body, headers });

  const sendPreflight = (path: string) =>
    fetch(host.url + path, {
      method: "OPTIONS",
      headers: {
        origin: APP,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,idempotency-key",
      },
    });

  test("responds to an unknown path with 404, before it checks credentials", async () => {
    for (const path of [
      "/api/v1/nothing",
      "/api/v1/hub",
      "/api/v1/hub/generations/a/b/c",
      "/api/v1/hub/models/x/pricing/y",
    ]) {
      const reply = await callApi(host, "GET", path, { key: "garbage" });
      expect(reply.body).toMatchObject({ status: 404, code: "resource_not_found" });
    }
  });

  // Next itself responds to this path, with a bare 400.
  test.runIf(host.name === "own server")("treats a path of invalid UTF-8 as unknown", async () => {
    const reply = await callApi(host, "GET", `${GENERATIONS}/%ff`, { key: customer.key });
    expect(reply.body).toMatchObject({ status: 404, code: "generation_not_found" });
  });

  test("responds to a wrong method with 405 and lists the allowed ones", async () => {
    const wrong = await callApi(host, "DELETE", GENERATIONS);
    expect(wrong.body).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(wrong.headers.get("allow")).toBe("POST, GET, HEAD");
    expect((await callApi(host, "PUT", "/api/v1/me")).headers.get("allow")).toBe("GET, HEAD");
    expect((await callApi(host, "GET", "/api/v1/hub/models/x/pricing")).headers.get("allow")).toBe("POST");
    expect((await callApi(host, "PATCH", "/api/v1/health")).status).toBe(405);
    expect((await callApi(host, "OPTIONS", "/api/v1/me")).status).toBe(405);
  });

  test.each(["/api/v1/me", GENERATIONS, "/api/v1/hub/files", "/api/v1/worker/claim", "/api/v1/nothing"])(
    "pages of any origin may call %s with a key, and never with cookies",
    async (path) => {
      const preflight = await sendPreflight(path);
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
      expect(preflight.headers.get("access-control-allow-methods")).toContain("DELETE");
      expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization,idempotency-key");
      const reply = await callApi(host, "GET", path, { key: customer.key, headers: { origin: APP } });
      expect(reply.headers.get("access-control-allow-origin")).toBe("*");
      for (const name of EXPOSED) expect(reply.headers.get("access-control-expose-headers")).toContain(name);
      for (const { headers } of [preflight, reply]) expect(headers.get("access-control-allow-credentials")).toBeNull();
    },
  );

  test.each(["/api/v1/hub/keys", "/api/v1/hub/keys/x/rotate", "/api/v1/hub/%6beys", "/api/callbacks/payments"])(
    "%s stays closed to pages of other origins",
    async (path) => {
      const preflight = await sendPreflight(path);
      const headers = { origin: APP, authorization: `Bearer ${customer.key}` };
      const reply = await fetch(host.url + path, { headers });
      for (const one of [preflight, reply]) expect(one.headers.get("access-control-allow-origin")).toBeNull();
    },
  );

  test("responds to HEAD as to GET, without the body", async () => {
    const head = await callApi(host, "HEAD", "/api/v1/me", { key: customer.key });
    expect([head.status, head.bytes.length]).toEqual([200, 0]);
    expect((await callApi(host, "HEAD", "/api/v1/me")).status).toBe(401);
    expect((await callApi(host, "HEAD", "/api/v1/hub/models/x/pricing")).status).toBe(405);
  });

  test("keeps a valid X-Request-Id, and replaces any other", async () => {
    const answered = async (id: string) =>
      (await callApi(host, "GET", "/api/v1/health", { headers: { "x-request-id": id } })).headers.get("x-request-id");
    expect(await answered("trace-0123.abc_9")).toBe("trace-0123.abc_9");
    expect(await answered("short")).not.toBe("short");
    expect(await answered('{"log":"forged"}')).toMatch(/^[\w-]{12}-\d+$/);
    expect(await answered("x".repeat(129))).toMatch(/^[\w-]{12}-\d+$/);
    expect(await answered("")).not.toBe(await answered(""));
  });

  test("responds to malformed credentials with 401", async () => {
    const tamperedKey = customer.key.slice(0, -1) + (customer.key.endsWith("a") ? "b" : "a");
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      `Basic ${customer.key}`,
      customer.key,
      `Bearer ${tamperedKey}`,
      "Bearer a b",
    ]) {
      const reply = await callApi(host, "GET", "/api/v1/me", { headers: { authorization } });
      expect(reply.body, authorization).toMatchObject({ code: "unauthorized", status: 401 });
      expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    }
    const lower = await callApi(host, "GET", "/api/v1/me", { headers: { authorization: `bearer ${customer.key}` } });
    expect(lower.status).toBe(200);
  });

  test("rejects a revoked key, an expired key and a suspended account from the next request on", async () => {
    const me = (key: string) => callApi(host, "GET", "/api/v1/me", { key });
    const { db } = host.hub;
    const [revoked, expired, suspended] = [
      await newCustomer(host.hub),
      await newCustomer(host.hub),
      await newCustomer(host.hub),
    ];
    for (const { key } of [revoked, expired, suspended]) expect((await me(key)).status).toBe(200);
    await db.query("UPDATE api_key SET revoked_at = $2 WHERE id = $1", [revoked.keyId, host.hub.now()]);
    await db.query("UPDATE api_key SET expires_at = $2 WHERE id = $1", [expired.keyId, host.hub.now()]);
    await db.query("UPDATE account SET suspended = true WHERE id = $1", [suspended.account]);
    for (const { key } of [revoked, expired, suspended]) expect((await me(key)).status).toBe(401);
  });

  test("GET /me returns the account and the key in use", async () => {
    const me = await callApi(host, "GET", "/api/v1/me", { key: customer.key });
    expect(me.body).toEqual({
      client_id: customer.account,
      email: customer.email,
      membership: false,
      balance: 10,
      available: 10,
      currency: "EUR",
      key: { name: "test", prefix: customer.key.slice(0, 17) },
    });
    expect(me.headers.get("cache-control")).toBe("no-store");
  });

  test.each([
    "application/json",
    "text/json",
    "application/vnd.hub.v1+json",
    "Application/JSON; charset=UTF-8",
    'text/json;charset="utf-8"',
  ])("accepts %s as JSON", async (type) => {
    const reply = await create('{"model":"nobody","input":{}}', { "content-type": type });
    expect(reply.body.code).toBe("model_not_found");
  });

  test.each([
    "text/plain",
    "application/xml",
    "multipart/form-data",
    "application/json; charset=latin1",
    "application/jsonx",
    "json",
  ])("rejects %s as JSON", async (type) => {
    const reply = await create('{"model":"nobody","input":{}}', { "content-type": type });
    expect(reply.body).toMatchObject({ code: "invalid_input", errors: { "Content-Type": [expect.any(String)] } });
  });

  test.each<[string, string | Uint8Array, string]>([
    ["nothing", "", "body"],
    ["half of it", '{"model":', "body"],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "body"],
    ["a list", "[]", "body"],
    ["null", "null", "body"],
    ["\\u0000", '{"model":"a","input":{"prompt":"\\u0000"}}', "input.prompt"],
    ["half a surrogate pair", '{"model":"a","input":{"prompt":["\\udc00"]}}', "input.prompt.0"],
    ["infinity", '{"model":"a","input":{"seed":1e400}}', "input.seed"],
    ["an integer too great", '{"model":"a","input":{"seed":9007199254740993}}', "input.seed"],
    ["__proto__", '{"model":"a","input":{"__proto__":{"a":1}}}', "input.__proto__"],
    ["no model", '{"input":{}}', "model"],
    ["a model that is no text", '{"model":7,"input":{}}', "model"],
    ["no input", '{"model":"a"}', "input"],
    ["an input that is a list", '{"model":"a","input":[]}', "input"],
    ["a member that every object has", '{"model":"a","input":{},"constructor":1}', "constructor"],
    ["a method that every object has", '{"model":"a","input":{},"__defineGetter__":1}', "__defineGetter__"],
    ["an unknown member", '{"model":"a","input":{},"prompt":"x"}', "prompt"],
    ["a batch that is no UUID", '{"model":"a","input":{},"batch_id":"x"}', "batch_id"],
  ])("rejects %s in the body with 400 and its location", async (_case, body, location) => {
    const reply = await create(body);
    expect(reply.body).toMatchObject({ code: "invalid_input", status: 400 });
    expect(Object.keys(reply.body.errors as object)).toEqual([location]);
  });

  test("accepts 64 levels of nesting and rejects 65", async () => {
    const nested = (depth: number) =>
      `{"model":"nobody","input":{"a":${"[".repeat(depth - 2)}${"]".repeat(depth - 2)}}}`;
    expect((await create(nested(64))).body.code).toBe("model_not_found");
    expect((await create(nested(65))).body.code).toBe("invalid_input");
  });

  test("accepts a mebibyte and rejects one more byte with 413, even without a declared length", async () => {
    const body = (size: number) => {
      const empty = JSON.stringify({ model: "nobody", input: { a: "" } });
      return empty.replace('""', `"${"x".repeat(size - empty.length)}"`);
    };
    expect((await create(body(1_048_576))).body.code).toBe("model_not_found");
    expect((await create(body(1_048_577))).body).toMatchObject({ code: "payload_too_large", status: 413 });
    expect(await undeclared(body(1_048_577))).toBe(413);
    expect(await undeclared(body(40))).toBe(404);
  });

  function undeclared(body: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${customer.key}`,
        "content-type": "application/json",
        "transfer-encoding": "chunked",
      };
      const sending = httpRequest(host.url + GENERATIONS, { method: "POST", headers }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      sending.once("error", reject);
      sending.end(body);
    });
  }

  test("checks a request in the order of the contract", async () => {
    const unknown = await callApi(host, "POST", "/api/v1/hub/models/nobody/pricing", { body: "{" });
    expect(unknown.status).toBe(401);
    expect((await create("x".repeat(2_000_000), { "content-type": "text/plain" })).status).toBe(413);
    expect((await create("{", { "idempotency-key": "" })).body.errors).toHaveProperty("body");
    expect((await create({ model: "nobody", input: { prompt: 7 } })).body.code).toBe("model_not_found");
    const poor = await newCustomer(host.hub, { credit: 0 });
    const wrong = await callApi(host, "POST", GENERATIONS, {
      key: poor.key,
      body: { model: "sandbox-image", input: {} },
    });
    expect(wrong.body).toMatchObject({ code: "invalid_input", errors: { "input.prompt": [expect.any(String)] } });
  });

  test("checks the range of every query parameter, and ignores unknown ones", async () => {
    const list = (query: string) => callApi(host, "GET", `${GENERATIONS}?${query}`, { key: customer.key });
    const rejected = {
      limit: ["0", "101", "-1", "1.5", "ten", "", "1e1", " 5"],
      exclude_llm: ["1", "yes", "", "TRUE"],
      status: ["done", ""],
      model: ["A B", "%00", ""],
      batch_id: ["x", ""],
      cursor: ["x", "", "a.b", "%00", "x".repeat(600)],
    };
    for (const [name, values] of Object.entries(rejected)) {
      for (const value of values) {
        const reply = await list(`${name}=${value}`);
        expect(reply.body, `${name}=${value}`).toMatchObject({
          code: "invalid_input",
          errors: { [name]: [expect.any(String)] },
        });
      }
    }
    expect((await list("limit=5&limit=6")).body.errors).toHaveProperty("limit");
    expect((await list("limit=100&utm_source=x&__proto__=1&constructor=2")).status).toBe(200);
  });

  test("health and readiness need no credentials", async () => {
    expect((await callApi(host, "GET", "/api/v1/health")).body).toEqual({ status: "ok" });
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect((await callApi(host, "GET", "/api/v1/version")).body).toEqual({ name: "generation-hub", version });
    expect((await callApi(host, "GET", "/api/v1/ready")).body).toEqual({ status: "ok" });
  });

  test("serves the OpenAPI document", async () => {
    const { body } = await callApi(host, "GET", "/api/v1/openapi.json");
    expect(body).toMatchObject({ openapi: "3.1.0", servers: [{ url: "https://hub.test" }] });
    const { schemas } = body.components as { schemas: { ErrorCode: { enum: string[] } } };
    expect(schemas.ErrorCode.enum).toEqual(Object.keys(errorTable));
  });
});
