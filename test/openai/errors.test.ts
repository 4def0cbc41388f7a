import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_BOUNDS } from "../../server/api/middleware/body";
import { openAiDocument, openAiOperations } from "../../server/api/openai/openapi";
import { listErrorCodes, type Operation } from "../../server/api/operation";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { formOf, formType } from "../api/form";
import { openOwnHost } from "../api/hosts";

const host = await openOwnHost();
const small = await openOwnHost({ UPLOAD_MAX_BYTES: "1000" });
const limited = await openOwnHost({ RATE_LIMIT_READS_PER_MINUTE: "1", RATE_LIMIT_WRITES_PER_MINUTE: "1" });

interface Described {
  operationId: string;
  parameters?: { name: string }[];
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}
const document = JSON.parse(JSON.stringify(openAiDocument("https://hub.test"))) as {
  paths: Record<string, Record<string, Described>>;
};
const ajv = new Ajv2020({ strict: false });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ $id: "document", ...document });
const isError = ajv.compile({ $ref: "document#/components/schemas/Error" });

let customer: Customer;
let poor: Customer;
beforeAll(async () => {
  customer = await newCustomer(host.hub, { credit: 100 });
  poor = await newCustomer(limited.hub);
});

const pathOf = ({ path }: Operation) => path.replace("{id}", path.includes("models") ? "nobody/none" : "nobody");
const typeOf = ({ form }: Operation) => (form ? formType : "application/json");
const samples: Record<string, object> = {
  completeChat: { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] },
  createOpenAiResponse: { model: "sandbox-text", input: "hello" },
  countOpenAiResponseTokens: { model: "sandbox-text", input: "hello" },
  createOpenAiCompletion: { model: "sandbox-text", prompt: "hello" },
  createOpenAiImage: { model: "sandbox-image", prompt: "a" },
  createOpenAiSpeech: { model: "sandbox-speech", voice: "alloy", input: "a" },
  createOpenAiEmbeddings: { model: "sandbox-embedding", input: "a" },
};

interface Sent {
  key?: string;
  method?: string;
  body?: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
  url?: string;
}

async function send(operation: Operation, { key, method, body, headers, url = host.url }: Sent) {
  const response = await fetch(url + pathOf(operation), {
    method: method ?? operation.method.toUpperCase(),
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": typeOf(operation) }),
      ...headers,
    },
    body,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

type Reply = Awaited<ReturnType<typeof send>>;

/** Fails unless a response is OpenAI's envelope, as the document describes it, with the ids of the contract. */
function expectEnvelope(
  operation: Operation,
  { status, headers, text }: Reply,
  wanted: [number, string, string],
): void {
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{8,128}$/);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  const body = JSON.parse(text) as { error: { message: string; type: string; code: string; param: string | null } };
  const { error } = body;
  expect([status, error.code, error.type], error.message).toEqual(wanted);
  expect(isError(body) ? [] : isError.errors).toEqual([]);
  expect(Object.keys(body)).toEqual(["error"]);
  if (status === 405) return;
  const { responses } = document.paths[operation.path]![operation.method]!;
  expect(Object.keys(responses)).toContain(String(status));
  expect(Object.keys(responses[status]!.content!)).toEqual(["application/json"]);
  expect(responses[status]!.description).toContain(`\`${error.code}\``);
}

const each = (operations: Operation[]) => operations.map((operation) => [operation.path, operation] as const);
const withBody = openAiOperations.filter(({ body, form }) => body ?? form);
const withJson = openAiOperations.filter(({ body }) => body);
const withForm = openAiOperations.filter(({ form }) => form);
const authenticated = openAiOperations.filter(({ auth }) => auth !== "none");
const invalid = "invalid_request_error";

test("the document describes every path under /v1, each under its own id", () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [method, path, operationId].join(" ")),
  );
  const declared = openAiOperations.map(({ method, path, name }) => [method, path, name].join(" "));
  expect(described.toSorted()).toEqual(declared.toSorted());
  expect(withBody.flatMap(listErrorCodes)).toContain("insufficient_credits");
});

test("the document describes the headers of every operation that makes a generation", () => {
  const creating = openAiOperations.filter(({ problems }) => problems.includes("idempotency_conflict"));
  expect(creating).toContainEqual(expect.objectContaining({ path: "/v1/videos" }));
  for (const { path, method } of creating) {
    const headers = document.paths[path]![method]!.parameters?.map(({ name }) => name) ?? [];
    expect(headers, path).toEqual(expect.arrayContaining(["Idempotency-Key", "X-Hub-Metadata", "X-Hub-End-User"]));
  }
});

test("the document is served without a key", async () => {
  const response = await fetch(`${host.url}/v1/openapi.json`);
  expect(response.status).toBe(200);
  expect(Object.keys(((await response.json()) as typeof document).paths)).toEqual(Object.keys(document.paths));
});

describe.each(each(authenticated))("%s", (_path, operation) => {
  test("401 without a key, with a wrong one, and with a cookie", async () => {
    const cookie = { cookie: ".AspNetCore.Cookies=x", "x-requested-with": "XMLHttpRequest" };
    for (const sent of [{}, { key: "service_sk_wrong" }, { headers: cookie }])
      expectEnvelope(operation, await send(operation, sent), [401, "unauthorized", "authentication_error"]);
  });

  test("429 with the seconds to wait", async () => {
    const sent = { key: poor.key, url: limited.url };
    await send(operation, sent);
    const reply = await send(operation, sent);
    expectEnvelope(operation, reply, [429, "rate_limited", "rate_limit_error"]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe.each(each(openAiOperations))("%s", (_path, operation) => {
  test("405 for other methods, with those that are allowed", async () => {
    const methods = openAiOperations.filter(({ path }) => path === operation.path).map(({ method }) => method);
    const allow = methods.flatMap((method) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()])).join(", ");
    const others = (["get", "post", "put", "delete"] as const).filter((method) => !methods.includes(method));
    for (const method of others) {
      const reply = await send(operation, { method: method.toUpperCase() });
      expectEnvelope(operation, reply, [405, "method_not_allowed", invalid]);
      expect(reply.headers.get("allow")).toBe(allow);
    }
  });
});

describe.each(each(withJson))("%s", (_path, operation) => {
  const { maxBytes, maxValues } = operation.bodyBounds ?? DEFAULT_BOUNDS;
  const sample = samples[operation.name]!;

  test.each<[string, () => string | undefined, Record<string, string>]>([
    ["nothing", () => undefined, {}],
    ["no JSON", () => "{", {}],
    ["no object", () => "[]", {}],
    ["no UTF-8 type", () => "{}", { "content-type": "text/plain" }],
    ["too deep", () => `{"model":${"[".repeat(70)}${"]".repeat(70)}}`, {}],
    ["too many values", () => `{"model":[${"1,".repeat(maxValues)}1]}`, {}],
    ["a model that is none", () => JSON.stringify({ ...sample, model: 7 }), {}],
  ])("400 for %s", async (_case, body, headers) => {
    const reply = await send(operation, { key: customer.key, body: body(), headers });
    expectEnvelope(operation, reply, [400, "invalid_input", invalid]);
    expect((JSON.parse(reply.text) as { error: { param: string } }).error.param).toMatch(/^(body|model|Content-Type)$/);
  });

  test("404 for a model that does not exist", async () => {
    const body = JSON.stringify({ ...sample, model: "nobody" });
    expectEnvelope(operation, await send(operation, { key: customer.key, body }), [404, "model_not_found", invalid]);
  });

  test("413 for a body that is too large", async () => {
    const body = new Uint8Array(maxBytes + 1).fill(0x20);
    const wanted: [number, string, string] = [413, "payload_too_large", invalid];
    expectEnvelope(operation, await send(operation, { key: customer.key, body }), wanted);
  });

  test("415 for an encoded body", async () => {
    const sent = { key: customer.key, body: "{}", headers: { "content-encoding": "gzip" } };
    expectEnvelope(operation, await send(operation, sent), [415, "unsupported_media_type", invalid]);
  });

  const isFree = !operation.problems.includes("insufficient_credits");
  test.skipIf(isFree)("402 without credit, or what its clients do not repeat", async () => {
    const { key } = await newCustomer(host.hub, { credit: 0 });
    const reply = await send(operation, { key, body: JSON.stringify(sample) });
    const isResponse = operation.envelope === "responses";
    const wanted: [number, string] = isResponse ? [429, "insufficient_quota"] : [402, "insufficient_credits"];
    expectEnvelope(operation, reply, [...wanted, "insufficient_quota"]);
    expect(reply.headers.get("x-generation-id")).toBeNull();
    if (isResponse) expect(document.paths[operation.path]!.post!.responses).not.toHaveProperty("402");
  });
});

test("the document has the code of a prompt that is longer than the model's context", async () => {
  const operation = openAiOperations.find(({ name }) => name === "createOpenAiResponse")!;
  const body = JSON.stringify({ model: "sandbox-text", input: "word ".repeat(200_000) });
  const reply = await send(operation, { key: customer.key, body });
  expect([reply.status, JSON.parse(reply.text)]).toMatchObject([400, { error: { code: "context_length_exceeded" } }]);
  expect(isError(JSON.parse(reply.text)) ? [] : isError.errors).toEqual([]);
});

describe("an idempotency key that another request has", () => {
  test.each(each(withJson.filter(({ name }) => name === "completeChat" || name === "createOpenAiEmbeddings")))(
    "409 at %s",
    async (_path, operation) => {
      const headers = { "idempotency-key": "one" };
      const sample = samples[operation.name]!;
      const first = await send(operation, { key: customer.key, body: JSON.stringify(sample), headers });
      expect([first.status, first.headers.get("x-generation-id")]).toEqual([200, expect.stringMatching(/^[\w-]{36}$/)]);
      const other = JSON.stringify({ ...sample, user: "another" });
      const reply = await send(operation, { key: customer.key, body: other, headers });
      expectEnvelope(operation, reply, [409, "idempotency_conflict", invalid]);
    },
  );
});

describe.each(each(withForm))("%s", (_path, operation) => {
  test.each<[string, string | Uint8Array<ArrayBuffer>, Record<string, string>, [number, string, string]]>([
    ["no form", "{}", { "content-type": "application/json" }, [400, "invalid_input", invalid]],
    ["no boundary", "x", { "content-type": "multipart/form-data" }, [400, "invalid_input", invalid]],
    ["a form that is cut off", "--", {}, [400, "invalid_input", invalid]],
    ["a form without a model", formOf(Buffer.from("a")), {}, [400, "invalid_input", invalid]],
    ["an encoded form", "x", { "content-encoding": "gzip" }, [415, "unsupported_media_type", invalid]],
  ])("rejects %s", async (_case, body, headers, wanted) => {
    expectEnvelope(operation, await send(operation, { key: customer.key, body, headers }), wanted);
  });

  test("413 for a form that is too large", async () => {
    const { key } = await newCustomer(small.hub);
    const body = new Uint8Array(200_000).fill(0x20);
    const reply = await send(operation, { key, body, url: small.url });
    expectEnvelope(operation, reply, [413, "payload_too_large", invalid]);
  });

  test("404 for a model that does not exist", async () => {
    const form = new FormData();
    form.append("model", "nobody");
    const headers = { authorization: `Bearer ${customer.key}` };
    const response = await fetch(host.url + operation.path, { method: "POST", headers, body: form });
    const reply = { status: response.status, headers: response.headers, text: await response.text() };
    expectEnvelope(operation, reply, [404, "model_not_found", invalid]);
  });
});

test("404 for a model and for a path that do not exist", async () => {
  const one = openAiOperations.find(({ name }) => name === "getOpenAiModel")!;
  expectEnvelope(one, await send(one, { key: customer.key }), [404, "model_not_found", invalid]);
  const response = await fetch(`${host.url}/v1/nothing`);
  expect(response.status).toBe(404);
  const body: unknown = await response.json();
  expect(isError(body)).toBe(true);
  expect(response.headers.get("x-request-id")).not.toBeNull();
});

test("the audit finds no violation after rejected requests", async () => {
  expect(await runAudit(host.hub.db)).toMatchObject({ violations: [], reserved: 0 });
});
