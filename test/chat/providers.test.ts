import { createServer } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { reservePort } from "../reserve-port";
import { listenOnLoopback } from "../loopback";
import { UPSTREAM_KEY, openChatHost, userMessages } from "./host";
import { completionFor } from "./completion";
import {
  errorBody,
  type Responder,
  sendGigabyte,
  breakMidway,
  resetConnection,
  respondWith,
  neverRespond,
  respondNormally,
} from "./upstream";

const host = await openChatHost();
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(host.hub);
});
const chat = (body: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  host.chat(customer.key, { messages: userMessages("hello"), ...body }, { headers });
const newest = async () => {
  const { body } = await callApi(host, "GET", "/api/v1/hub/generations?limit=1", { key: customer.key });
  return (
    body.data as {
      id: string;
      status: string;
      billed_cost: number;
      error: { code: string; message: string; retryable: boolean };
    }[]
  )[0]!;
};
const attempts = async (id: string) => {
  const { body } = await callApi(host, "GET", `/api/v1/hub/generations/${id}/attempts`, { key: customer.key });
  return (body.data as { route: string; outcome: string; upstream_status: number | null; cost: number }[]).map(
    ({ route, outcome, upstream_status, cost }) => [route, outcome, upstream_status, cost],
  );
};
const messageOf = (body: Record<string, unknown>) => (body.error as { message: string }).message;

test("no response, record or replay contains the provider's key, even if the provider repeats it in a 200", async () => {
  const message = { role: "assistant", content: `Your header was: Bearer ${UPSTREAM_KEY}` };
  const echo = {
    choices: [{ message, [UPSTREAM_KEY]: UPSTREAM_KEY, logprobs: [{ token: UPSTREAM_KEY }] }],
    system_fingerprint: UPSTREAM_KEY,
  };
  const headers = { "idempotency-key": "echo" };
  host.upstream.respondNext(respondWith(200, echo));
  const replies = [await chat({}, headers), await chat({}, headers)];
  for (const { status, body } of replies) {
    expect(status).toBe(200);
    expect((body.choices as (typeof echo)["choices"])[0]!.message.content).toBe("Your header was: Bearer […]");
    expect(JSON.stringify(body)).not.toContain(UPSTREAM_KEY);
  }
  const { id } = await newest();
  const [row] = await host.hub.db.query("SELECT g::text FROM generation g WHERE id = $1", [id]);
  expect(JSON.stringify(row)).not.toContain(UPSTREAM_KEY);
});

test("a chat that the provider answers with 201 succeeds and is charged, streamed or not", async () => {
  const created: Responder = (response, request) => respondWith(201, completionFor(request.body))(response, request);
  host.upstream.respondNext(created, created);
  expect((await chat()).status).toBe(200);
  const { status, billed_cost } = await newest();
  expect([status, billed_cost > 0]).toEqual(["succeeded", true]);
  const stream = await fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${customer.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "talk", messages: userMessages("hello"), stream: true }),
  });
  expect([stream.status, await stream.text()]).toEqual([200, expect.stringContaining("You said: hello")]);
  expect(await newest()).toMatchObject({ status: "succeeded", billed_cost });
});

describe("a provider that fails", () => {
  test.each<[string, Parameters<typeof host.upstream.respondNext>[0], string, number | null]>([
    ["with 500", respondWith(500, errorBody("boom")), "provider_error", 500],
    ["with 503", respondWith(503, "<html>"), "provider_error", 503],
    ["with a redirect", respondWith(302, "", { location: "http://127.0.0.1:1/" }), "provider_error", 302],
    ["by a broken connection", resetConnection, "provider_error", null],
    ["by half an answer", breakMidway, "provider_error", null],
    ["by a gigabyte", sendGigabyte, "invalid_output", null],
    [
      "by an answer that says it is too large",
      respondWith(200, "{}", { "content-length": "1000000000" }),
      "invalid_output",
      null,
    ],
    ["by no JSON", respondWith(200, "<html>"), "invalid_output", 200],
    ["by no choices", respondWith(200, { choices: [] }), "invalid_output", 200],
    ["by a choice without message", respondWith(200, { choices: [{ text: "x" }] }), "invalid_output", 200],
    ["by an error in a 200", respondWith(200, errorBody("boom")), "invalid_output", 200],
    ["by a list", respondWith(200, []), "invalid_output", 200],
    [
      "by a stream",
      respondWith(200, 'data: {"choices":[]}\n\ndata: [DONE]\n\n', { "content-type": "text/event-stream" }),
      "invalid_output",
      200,
    ],
  ])("with %s costs nothing and frees the key", async (_case, answerer, code, upstreamStatus) => {
    const before = process.memoryUsage().rss;
    const headers = { "idempotency-key": `fails ${_case}` };
    host.upstream.respondNext(answerer);
    const failed = await chat({}, headers);
    expect(failed.status).toBe(503);
    expect(failed.body.error).toMatchObject({ code: "provider_error" });
    expect(messageOf(failed.body)).not.toMatch(/127\.0\.0\.1|boom|html/);
    const record = await newest();
    expect(record).toMatchObject({
      status: "failed",
      billed_cost: 0,
      error: { code, message: messageOf(failed.body) },
    });
    expect(failed.headers.get("retry-after")).toBe(record.error.retryable ? "1" : null);
    const started = upstreamStatus !== 503;
    expect(await attempts(record.id)).toEqual([["up:gpt-up", started ? "failed" : "refused", upstreamStatus, 0]]);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    const again = await chat({}, headers);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, null]);
  });

  test("with Retry-After passes it on, within limits", async () => {
    const returned = async (status: number, header: string) => {
      host.upstream.respondNext(respondWith(status, errorBody("later"), { "retry-after": header }));
      return (await chat()).headers.get("retry-after");
    };
    expect(await returned(429, "7")).toBe("7");
    expect(await returned(503, "0")).toBe("1");
    expect(await returned(503, "99999")).toBe("3600");
    expect(await returned(429, "Wed, 21 Oct 2026 07:28:00 GMT")).toBe("1");
    expect(await returned(401, "7")).toBe(null);
  });

  test("passes its messages about the request to the customer, and never its secrets", async () => {
    host.upstream.respondNext(respondWith(400, errorBody("max_tokens is too large: 32000.")));
    expect(messageOf((await chat()).body)).toBe(
      "The provider refused the hub's request with status 400: max_tokens is too large: 32000.",
    );
    host.upstream.respondNext(respondWith(401, errorBody("Incorrect API key provided: sk-upst***cdef.")));
    expect(messageOf((await chat()).body)).toBe("The provider refused the hub's request with status 401.");
    host.upstream.respondNext(
      respondWith(
        422,
        errorBody(
          `key sk-other-9876543210 of org-Abc123 at https://host.internal:8000/v1?x=1, 10.1.2.3:80,\nBearer abcdef ${"a".repeat(40)}`,
        ),
      ),
    );
    const { body } = await chat();
    expect(messageOf(body)).not.toMatch(/sk-other|org-A|internal|10\.1|abcdef|aaaa|\n/);
  });
});

describe("a call that takes too long", () => {
  test("fails at the model's time limit and releases the hold", async () => {
    host.setModels(`
  - id: brief
    timeout_seconds: 1
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up }, { provider: second, upstream_model: gpt-up }]
`);
    host.upstream.respondNext(neverRespond);
    const requestCount = host.upstream.requests.length;
    const { status, body, headers } = await chat({ model: "brief" });
    expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    expect(messageOf(body)).toBe("The generation exceeded its model's time limit.");
    const record = await newest();
    expect(record).toMatchObject({ status: "failed", billed_cost: 0, error: { code: "timeout" } });
    expect(await attempts(record.id)).toEqual([["up:gpt-up", "failed", null, 0]]);
    // The provider may have done the work, so no other one was called.
    expect(host.upstream.requests.length).toBe(requestCount + 1);
  });
});

describe("the next route", () => {
  const two = (extra = "") => `
  - id: two
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000 }
    routes: [{ provider: second, upstream_model: first }, { provider: up, upstream_model: then }]
${extra}`;

  test.each([401, 402, 403, 404, 429, 503, 529])("is tried after %i", async (status) => {
    host.setModels(two());
    host.upstream.respondNext(respondWith(status, errorBody("no")), respondNormally);
    const { body } = await chat({ model: "two" });
    expect(host.upstream.requests.slice(-2).map(({ body: sent }) => sent.model)).toEqual(["first", "then"]);
    expect(await attempts(String(body.id))).toEqual([
      ["second:first", "refused", status, 0],
      ["up:then", "succeeded", 200, 0.000015],
    ]);
    expect(host.upstream.requests.at(-2)!.headers.authorization).toBeUndefined();
  });

  test("answers with its own status when it fails too", async () => {
    host.setModels(two());
    host.upstream.respondNext(respondWith(503, errorBody("busy")), respondWith(404, errorBody("no such model")));
    const { status, body } = await chat({ model: "two" });
    expect([status, messageOf(body)]).toEqual([
      404,
      "The provider refused the hub's request with status 404: no such model.",
    ]);
    expect(await attempts((await newest()).id)).toEqual([
      ["second:first", "refused", 503, 0],
      ["up:then", "refused", 404, 0],
    ]);
  });

  test("is tried after a refused connection, whose address is not returned", async () => {
    const port = await reservePort();
    host.setModels(two(), `http://127.0.0.1:${port}/v1`);
    const { body, status } = await chat({ model: "two" });
    expect(status).toBe(200);
    expect((await attempts(String(body.id)))[0]).toEqual(["second:first", "refused", null, 0]);
    host.upstream.respondNext(respondWith(503, errorBody("no")));
    const failed = await chat({ model: "two" });
    expect(failed.status).toBe(503);
    host.setModels(
      `
  - id: two
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000 }
    routes: [{ provider: second, upstream_model: first }]
`,
      `http://127.0.0.1:${port}/v1`,
    );
    const rejected = await chat({ model: "two" });
    expect([rejected.status, messageOf(rejected.body)]).toEqual([503, "The provider cannot be reached."]);
    expect(JSON.stringify(rejected.body)).not.toContain(String(port));
  });

  test.each(["500", "502", "504", "400", "413", "422", "reset"])(
    "is not tried after %s, because the first provider may have done the work or the request is wrong",
    async (what) => {
      host.setModels(two());
      const requestCount = host.upstream.requests.length;
      host.upstream.respondNext(what === "reset" ? resetConnection : respondWith(Number(what), errorBody("no")));
      expect((await chat({ model: "two" })).status).toBe(what.startsWith("4") ? Number(what) : 503);
      expect(host.upstream.requests.length).toBe(requestCount + 1);
    },
  );

  test("a provider without TLS is reported as unreachable", async () => {
    const plain = createServer((_request, response) => response.end());
    host.setModels(two(), `https://127.0.0.1:${await listenOnLoopback(plain)}/v1`);
    expect((await chat({ model: "two" })).status).toBe(200);
    plain.close();
  });
});

describe("a route that cools down", () => {
  const models = `
  - id: two
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000 }
    routes: [{ provider: second, upstream_model: first }, { provider: up, upstream_model: then }]
`;
  const sent = async (request: () => Promise<unknown>) => {
    const before = host.upstream.requests.length;
    await request();
    return host.upstream.requests.slice(before).map(({ body }) => body.model);
  };
  const chatTwo = () => chat({ model: "two" });
  const allAttempts = async () => {
    const { body } = await callApi(host, "GET", `/api/v1/hub/generations/${(await newest()).id}/attempts`, customer);
    return (body.data as { route: string; outcome: string; skipped?: string }[]).map(({ route, outcome, skipped }) =>
      [route, outcome, skipped].filter(Boolean).join(" "),
    );
  };

  test("is skipped until its time is over, and then called once by one chat", async () => {
    host.setModels(models);
    host.upstream.respondNext(respondWith(429, errorBody("full"), { "retry-after": "30" }));
    expect(await sent(chatTwo)).toEqual(["first", "then"]);
    expect(await sent(chatTwo)).toEqual(["then"]);
    expect(await allAttempts()).toEqual(["second:first skipped cooling_down", "up:then succeeded"]);
    host.hub.clock.advance(30_000);
    const stored = () => host.hub.db.query("SELECT FROM route_health WHERE route = 'second:first' AND openings = 1");
    await expect.poll(async () => (await stored()).length).toBe(1);
    const many = await sent(() => Promise.all(Array.from({ length: 8 }, chatTwo)));
    expect(many.filter((model) => model === "first").length).toBeGreaterThanOrEqual(1);
    expect(await sent(chatTwo)).toEqual(["first"]);
  });

  test("is called all the same if every route does, and its success lets all chats in", async () => {
    host.setModels(models);
    host.upstream.respondNext(respondWith(429, errorBody("full")), respondWith(503, errorBody("full")));
    expect(await sent(chatTwo)).toEqual(["first", "then"]);
    host.upstream.respondNext(respondWith(429, errorBody("full")));
    expect(await sent(chatTwo)).toEqual(["first", "then"]);
    expect(await allAttempts()).toEqual(["second:first refused", "up:then succeeded"]);
    expect(await sent(chatTwo)).toEqual(["then"]);
  });

  test.each([400, 403, 404, 413, 422])("does not because of status %i", async (status) => {
    host.setModels(models);
    for (let n = 0; n < 4; n += 1) {
      host.upstream.respondNext(respondWith(status, errorBody("input")));
      await chatTwo();
    }
    expect(await sent(chatTwo)).toEqual(["first"]);
  });

  test("does so after three failures within a minute", async () => {
    host.setModels(models);
    host.upstream.respondNext(respondWith(500, ""), resetConnection, respondWith(502, ""));
    for (let n = 0; n < 3; n += 1) await chatTwo();
    expect(await sent(chatTwo)).toEqual(["then"]);
  });
});

test("an explanation whose cut would split an emoji fails its own chat, and not those beside it", async () => {
  host.setModels(`
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up }]
`);
  const message = `${"no ".repeat(166)}n🦊 and\0more`;
  expect(message.indexOf("🦊")).toBe(499);
  host.upstream.respondNext(respondWith(400, errorBody(message)));
  const replies = await Promise.all(Array.from({ length: 4 }, () => chat()));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 400]);
  const { body } = await callApi(host, "GET", "/api/v1/hub/generations?limit=4", { key: customer.key });
  const ended = body.data as { status: string; error: { message: string } | null }[];
  expect(ended.map(({ status }) => status).sort()).toEqual(["failed", "succeeded", "succeeded", "succeeded"]);
  expect(ended.find(({ error }) => error)!.error!.message).toMatch(/no n\.$/);
});

test("keeps and shares connections", async () => {
  host.setModels(`
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up }]
`);
  await chat();
  const before = host.upstream.connections();
  for (let n = 0; n < 5; n += 1) expect((await chat()).status).toBe(200);
  expect(host.upstream.connections()).toBe(before);
});

test("the audit finds no violation after these failures", async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});
