import { beforeEach, describe, expect, test } from "vitest";
import { purgeAnswers } from "../../server/domain/generations/replay/replay";
import { runAudit } from "../../server/domain/audit/audit";
import { drainChats } from "../../server/domain/chat/in-flight";
import { failTimedOut } from "../../server/domain/generations/run/fail-timed-out";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import { CHAT, openChatHost, userMessages } from "./host";
import { completeWith, holdNext, respondWith } from "./upstream";

const host = await openChatHost();
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(host.hub);
});

const HOUR_MS = 3_600_000;
const chat = (key: string, text = "hello", extra: Record<string, unknown> = {}) =>
  host.chat(customer.key, { messages: userMessages(text), ...extra }, { headers: { "idempotency-key": key } });
const list = async () =>
  (await callApi(host, "GET", "/api/v1/hub/generations?limit=100", { key: customer.key })).body.data as {
    id: string;
    status: string;
    is_llm: boolean;
    billed_cost: number | null;
    error: { code: string } | null;
  }[];
const available = async () => (await callApi(host, "GET", "/api/v1/me", { key: customer.key })).body.available;

const held = () => ({ open: holdNext(host.upstream) });
/** Sends a chat and disconnects once the provider has the request. */
async function disconnect(key?: string): Promise<void> {
  const requestCount = host.upstream.requests.length;
  const controller = new AbortController();
  const lost = fetch(host.url + CHAT, {
    method: "POST",
    headers: {
      authorization: `Bearer ${customer.key}`,
      "content-type": "application/json",
      ...(key && { "idempotency-key": key }),
    },
    body: JSON.stringify({ model: "talk", messages: userMessages("hello") }),
    signal: controller.signal,
  }).catch(() => null);
  await expect.poll(() => host.upstream.requests.length).toBe(requestCount + 1);
  controller.abort();
  expect(await lost).toBeNull();
}

describe("an idempotency key", () => {
  test("returns the same bytes again, for a day and free of charge", async () => {
    const requestCount = host.upstream.requests.length;
    const first = await chat("one");
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    host.hub.clock.advance(23 * HOUR_MS);
    await purgeAnswers(host.hub, 100);
    const again = await chat("one");
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
    expect(again.bytes.equals(first.bytes)).toBe(true);
    expect(host.upstream.requests.length).toBe(requestCount + 1);
    expect((await list()).length).toBe(1);

    host.hub.clock.advance(2 * HOUR_MS);
    expect(await purgeAnswers(host.hub, 100)).toBeGreaterThanOrEqual(1);
    expect(await list()).toMatchObject([{ id: first.body.id, is_llm: true, status: "succeeded" }]);
    expect((await chat("one")).body.id).not.toBe(first.body.id);
  });

  test("returns the same bytes of a large response, also as a completion of a prompt", async () => {
    const content = 'маяк 灯台 \u0000\ud83d "\\/" 😀'.repeat(20_000);
    const respond = completeWith({
      choices: [{ index: 0, message: { role: "assistant", content, lists: [[], {}, null] }, finish_reason: "stop" }],
    });
    host.upstream.respondNext(respond, respond);
    const first = await chat("large");
    expect(first.body.choices).toMatchObject([{ message: { content, lists: [[], {}, null] } }]);
    expect(first.bytes.equals(Buffer.from(JSON.stringify(first.body)))).toBe(true);
    const again = await chat("large");
    expect([again.headers.get("idempotent-replayed"), again.bytes.equals(first.bytes)]).toEqual(["true", true]);

    const complete = () =>
      callApi(host, "POST", "/v1/completions", {
        key: customer.key,
        body: { model: "talk", prompt: "hello" },
        headers: { "idempotency-key": "large completion" },
      });
    const completed = await complete();
    expect(completed.body.choices).toMatchObject([{ text: content, index: 0 }]);
    expect((await complete()).bytes.equals(completed.bytes)).toBe(true);
  });

  test("ignores the order of members, and rejects another body with 409", async () => {
    const body = { temperature: 0, seed: 1 };
    const first = await chat("two", "hello", body);
    const turned = await chat("two", "hello", { seed: 1, temperature: 0 });
    expect(turned.body.id).toBe(first.body.id);
    const other = await chat("two", "other", body);
    expect([other.status, other.headers.get("x-should-retry")]).toEqual([409, "false"]);
    expect(other.body.error).toMatchObject({ code: "idempotency_conflict" });
  });

  test("returns 503 with the id of the first call while that runs", async () => {
    const releaseResponse = held();
    const first = chat("three");
    await expect.poll(async () => (await list())[0]?.status).toBe("running");
    const [running] = await list();
    const second = await chat("three");
    expect(second.status).toBe(503);
    expect(second.headers.get("location")).toBe(`/api/v1/hub/generations/${running!.id}`);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(second.body.error).toMatchObject({
      code: "generation_in_progress",
      metadata: { generation_id: running!.id },
    });
    releaseResponse.open();
    expect((await first).status).toBe(200);
    expect((await chat("three")).body.id).toBe(running!.id);
  });

  test("sent twenty times concurrently calls the provider once", async () => {
    const requestCount = host.upstream.requests.length;
    const releaseResponse = held();
    const statuses: number[] = [];
    const replies = Array.from({ length: 20 }, async () => statuses.push((await chat("four")).status));
    await expect.poll(() => statuses).toEqual(Array.from({ length: 19 }, () => 503));
    releaseResponse.open();
    await Promise.all(replies);
    expect(statuses.at(-1)).toBe(200);
    expect(host.upstream.requests.length).toBe(requestCount + 1);
    expect((await list()).length).toBe(1);
  });

  test("is not used up by a rejection, and is free again after a failure", async () => {
    host.upstream.respondNext(respondWith(400, { error: { message: "no" } }));
    expect((await chat("five")).status).toBe(400);
    expect((await chat("five", "other")).status).toBe(200);
    const poor = await newCustomer(host.hub, { credit: 0 });
    const ask = () => host.chat(poor.key, { messages: userMessages("x") }, { headers: { "idempotency-key": "six" } });
    expect((await ask()).status).toBe(402);
    expect((await ask()).status).toBe(402);
  });

  test("of a chat does not collide with the same key of a generation", async () => {
    expect((await chat("seven")).status).toBe(200);
    const media = await callApi(host, "POST", "/api/v1/hub/generations", {
      key: customer.key,
      body: { model: "sandbox-image", input: { prompt: "x" } },
      headers: { "idempotency-key": "seven" },
    });
    expect(media.status).toBe(202);
  });

  test("is required if the API key says so, and has 1 to 255 characters", async () => {
    const strict = await newCustomer(host.hub, { requireIdempotency: true });
    const ask = (headers?: Record<string, string>) =>
      host.chat(strict.key, { messages: userMessages("x") }, { headers });
    expect((await ask()).body.error).toMatchObject({
      metadata: { errors: { "Idempotency-Key": [expect.any(String)] } },
    });
    expect((await ask({ "idempotency-key": "x".repeat(256) })).status).toBe(400);
    expect((await ask({ "idempotency-key": "x".repeat(255) })).status).toBe(200);
  });

  test("without a key, no response is stored", async () => {
    const { body } = await host.chat(customer.key, { messages: userMessages("hello") });
    const [row] = await host.hub.db.query<{ answer: string | null }>(
      "SELECT stored_answer AS answer FROM generation WHERE id = $1",
      [body.id],
    );
    expect(row!.answer).toBeNull();
  });
});

describe("a client that disconnects", () => {
  test("does not stop its chat, which is settled and replayed", async () => {
    const releaseResponse = held();
    await disconnect("gone");
    expect((await chat("gone")).status).toBe(503);
    releaseResponse.open();
    await expect.poll(async () => (await list())[0]?.status).toBe("succeeded");
    const replayed = await chat("gone");
    expect(replayed.headers.get("idempotent-replayed")).toBe("true");
    expect((replayed.body.usage as { cost: number }).cost).toBe((await list())[0]!.billed_cost);
  });

  test("keeps its chat running during a stop", async () => {
    const releaseResponse = held();
    await disconnect();
    const drained = drainChats(host.hub, 10_000);
    releaseResponse.open();
    await drained;
    expect((await list())[0]!.status).toBe("succeeded");
  });

  test("does not delay a stop forever: the chat ends without a charge, and its hold is released", async () => {
    held();
    await disconnect("stopped");
    expect(await available()).toBeLessThan(10);
    await drainChats(host.hub, 20);
    expect((await list())[0]).toMatchObject({ status: "failed", billed_cost: 0, error: { code: "internal_error" } });
    expect(await available()).toBe(10);
    expect((await chat("stopped")).status).toBe(200);
  });
});

describe("a chat of a killed process", () => {
  test("is ended by the sweep soon after its last renewal, which frees its hold and its key", async () => {
    const releaseResponse = held();
    await disconnect("lost");
    const { id } = (await list())[0]!;
    host.hub.clock.advance(25_000);
    host.hub.services.renewLease(id);
    await expect
      .poll(async () => {
        const [row] = await host.hub.db.query<{ deadline_at: Date }>(
          "SELECT deadline_at FROM generation WHERE id = $1",
          [id],
        );
        return row!.deadline_at.getTime() - host.hub.now().getTime();
      })
      .toBeGreaterThan(25_000);
    host.hub.clock.advance(50_000);
    expect(await failTimedOut(host.hub)).toBe(0);
    expect((await chat("lost")).status).toBe(503);

    host.hub.clock.advance(15_000);
    expect(await failTimedOut(host.hub)).toBe(1);
    expect((await list())[0]).toMatchObject({ status: "failed", billed_cost: 0, error: { code: "internal_error" } });
    expect(await available()).toBe(10);
    const again = await chat("lost");
    expect(again.status).toBe(200);

    // The old process continues: it is not charged, and the key keeps its new response.
    releaseResponse.open();
    await drainChats(host.hub, 10_000);
    expect((await list()).map(({ status }) => status)).toEqual(["succeeded", "failed"]);
    expect((await chat("lost")).body.id).toBe(again.body.id);
    expect((await runAudit(host.hub.db)).violations).toEqual([]);
  });
});
