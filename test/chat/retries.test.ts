import net from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { drainChats } from "../../server/domain/chat/in-flight";
import { purgeJoinable } from "../../server/domain/generations/replay/joinable";
import { failTimedOut } from "../../server/domain/generations/run/fail-timed-out";
import { createKey } from "../../server/domain/keys/create";
import { type Customer, newCustomer } from "../api/customer";
import { soakCount } from "../soak";
import { CHAT, openChatHost, userMessages } from "./host";
import { createRetryClients, HELLO, openSecondHost } from "./retry-clients";
import { errorBody, holdNext, respondWith, completeWith } from "./upstream";

const host = await openChatHost();
const clients = createRetryClients(host);
const second = await openSecondHost(host);
const MINUTE_MS = 60_000;
let customer: Customer;
beforeEach(async () => {
  customer = await newCustomer(host.hub);
});
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

const isReplayed = ({ headers }: { headers: Headers }) => headers.get("idempotent-replayed") === "true";
const statuses = async () => (await clients.listRecords(customer)).map(({ status }) => status);
const ended = () => expect.poll(async () => (await statuses()).includes("running")).toBe(false);

describe("a retry of an abandoned chat", () => {
  test.each([
    ["this process", () => host.url],
    ["another process", () => second],
  ])("waits for the running chat and gets its response, in %s", async (_name, url) => {
    const open = holdNext(host.upstream);
    const id = await clients.abandonChat(customer);
    const answer = clients.retryChat(customer, HELLO, { url: url() });
    await expect.poll(async () => (await clients.listRecords(customer))[0]!.joinable_at! > host.hub.now()).toBe(true);
    open();
    const reply = await answer;
    expect([reply.status, isReplayed(reply), reply.body.id]).toEqual([200, true, id]);
    expect(await clients.listRecords(customer)).toMatchObject([{ id, status: "succeeded", billed_cost: 15_000n }]);
  });

  test("gets a large response, of a chat that runs and of one that has ended", async () => {
    const content = "маяк 😀".repeat(60_000);
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    for (const isRunning of [true, false]) {
      const open = holdNext(host.upstream, completeWith({ choices }));
      const id = await clients.abandonChat(customer);
      const answer = isRunning ? clients.retryChat(customer) : null;
      open();
      await ended();
      const reply = await (answer ?? clients.retryChat(customer));
      expect(reply.body).toMatchObject({ id, choices });
      await expect.poll(async () => (await clients.listRecords(customer)).at(-1)!.request_digest).toBeNull();
    }
  });

  test("gets the response of the ended chat once, and the hub then stores nothing of it", async () => {
    const open = holdNext(host.upstream);
    const id = await clients.abandonChat(customer);
    open();
    await ended();
    expect((await clients.retryChat(customer)).body.id).toBe(id);
    await expect
      .poll(async () => clients.listRecords(customer))
      .toMatchObject([{ answer: null, request_digest: null, joinable_at: null }]);
    const next = await clients.retryChat(customer, HELLO, { count: "2" });
    expect([next.status, isReplayed(next)]).toEqual([200, false]);
    expect(await statuses()).toEqual(["succeeded", "succeeded"]);
  });

  test("gets its failure, and the next retry starts a new chat", async () => {
    for (const [status, code] of [
      [400, 400],
      [429, 429],
      [500, 503],
    ] as const) {
      const open = holdNext(host.upstream, respondWith(status, errorBody(`upstream ${status}`)));
      await clients.abandonChat(customer);
      open();
      await ended();
      const failed = await clients.retryChat(customer);
      expect([failed.status, isReplayed(failed)]).toEqual([code, true]);
      expect(failed.body.error).toMatchObject({ code: "provider_error" });
      expect(failed.headers.has("retry-after")).toBe(code !== 400);
      await expect.poll(async () => (await clients.listRecords(customer)).at(-1)!.request_digest).toBeNull();
      expect(isReplayed(await clients.retryChat(customer, HELLO, { count: "2" }))).toBe(false);
    }
  });

  test("leaves it to the next retry when its own client disconnects too, even while the chat runs", async () => {
    const open = holdNext(host.upstream);
    const id = await clients.abandonChat(customer);
    for (let n = 1; n <= 3; n += 1) {
      const client = new AbortController();
      const disconnected = clients
        .retryChat(customer, HELLO, { count: String(n), signal: client.signal })
        .catch(() => null);
      await expect.poll(async () => (await clients.listRecords(customer))[0]!.joinable_at! > host.hub.now()).toBe(true);
      client.abort();
      expect(await disconnected).toBeNull();
    }
    open();
    expect((await clients.retryChat(customer, HELLO, { count: "4" })).body.id).toBe(id);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test("joins before the hold: it needs no balance of its own, but a valid key", async () => {
    const otherChat = await newCustomer(host.hub, { credit: 0.003 });
    const body = { ...HELLO, max_tokens: 1000 };
    const open = holdNext(host.upstream);
    const id = await clients.abandonChat(otherChat, body);
    expect((await clients.retryChat({ ...otherChat, key: `${otherChat.key}x` }, body)).status).toBe(401);
    const joined = clients.retryChat(otherChat, body);
    open();
    expect((await joined).body.id).toBe(id);
  });
});

describe("a request that is no retry", () => {
  test.each(["0", "101", "01", "1, 1"])("with a retry count of %s starts a new chat", async (count) => {
    const open = holdNext(host.upstream);
    await clients.abandonChat(customer);
    expect(isReplayed(await clients.retryChat(customer, HELLO, { count }))).toBe(false);
    open();
    await ended();
    expect(isReplayed(await clients.retryChat(customer, HELLO, { count: "100" }))).toBe(true);
  });

  test("without the header, or with another body, key or account, starts a new chat", async () => {
    const open = holdNext(host.upstream);
    await clients.abandonChat(customer);
    open();
    await ended();
    const { key } = await createKey(host.hub, customer.account, { name: "other" });
    const replies = [
      await host.chat(customer.key, HELLO),
      // Bodies are compared by their bytes, not by their meaning.
      await clients.retryChat(customer, { ...HELLO, temperature: 0 }),
      await clients.retryChat({ ...customer, key }),
      await clients.retryChat(await newCustomer(host.hub)),
    ];
    expect(replies.map((reply) => [reply.status, isReplayed(reply)])).toEqual(replies.map(() => [200, false]));
    expect(isReplayed(await clients.retryChat(customer))).toBe(true);
  });

  test("an Idempotency-Key of the first or the second request takes precedence", async () => {
    const releases = [holdNext(host.upstream), holdNext(host.upstream)];
    const keyed = await clients.abandonChat(customer, HELLO, { "idempotency-key": "mine" });
    const plain = await clients.abandonChat(customer);
    for (const open of releases) open();
    await ended();
    const both = (key: string) =>
      host.chat(customer.key, HELLO, { headers: { "idempotency-key": key, "x-stainless-retry-count": "1" } });
    expect((await both("mine")).body.id).toBe(keyed);
    expect(isReplayed(await both("other"))).toBe(false);
    expect((await clients.retryChat(customer)).body.id).toBe(plain);
  });

  test("cannot be joined after ten minutes, when its response is deleted", async () => {
    const releases = [holdNext(host.upstream), holdNext(host.upstream)];
    const ids = [await clients.abandonChat(customer), await clients.abandonChat(customer)];
    for (const open of releases) open();
    await ended();
    host.hub.clock.advance(9 * MINUTE_MS + 50_000);
    await purgeJoinable(host.hub, 100);
    expect((await clients.retryChat(customer)).body.id).toBe(ids[0]);
    host.hub.clock.advance(20_000);
    expect(isReplayed(await clients.retryChat(customer))).toBe(false);
    expect(await purgeJoinable(host.hub, 100)).toBe(1);
    expect((await clients.listRecords(customer))[1]).toMatchObject({
      status: "succeeded",
      answer: null,
      request_digest: null,
    });
  });
});

describe("equal requests of two clients", () => {
  test("that both get their responses are charged twice, although one is a retry", async () => {
    const open = holdNext(host.upstream);
    const first = host.chat(customer.key, HELLO);
    await expect.poll(async () => statuses()).toEqual(["running"]);
    const began = performance.now();
    const other = await clients.retryChat(customer);
    // The client may have disconnected before the hub noticed it.
    expect(performance.now() - began).toBeGreaterThan(900);
    open();
    expect((await first).body.id).not.toBe(other.body.id);
    expect(isReplayed(other)).toBe(false);
  });

  test.each([
    ["this process", () => host.url],
    ["another process", () => second],
  ])("are one chat if the first client disconnects while the retry waits, in %s", async (_name, url) => {
    const open = holdNext(host.upstream);
    const client = new AbortController();
    const disconnected = host.chat(customer.key, HELLO, { signal: client.signal }).catch(() => null);
    await expect.poll(async () => statuses()).toEqual(["running"]);
    const joined = clients.retryChat(customer, HELLO, { url: url() });
    client.abort();
    await disconnected;
    // Only the process itself knows of a disconnect that is not stored yet.
    if (url() === second)
      await expect.poll(async () => (await clients.listRecords(customer))[0]!.joinable_at).not.toBeNull();
    open();
    expect(isReplayed(await joined)).toBe(true);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test("that are abandoned and retried concurrently, in any order and by any process, are each charged once", async () => {
    for (let round = 0; round < soakCount(1, 40); round += 1) {
      customer = await newCustomer(host.hub);
      const count = 2 + (round % 7);
      const releases = Array.from({ length: count }, () => holdNext(host.upstream));
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await clients.abandonChat(customer));
      if (round % 2 === 0) for (const open of releases) open();
      const replies = Array.from({ length: count }, (_, n) =>
        clients.retryChat(customer, HELLO, n % 2 === 0 ? {} : { url: second }),
      );
      for (const open of releases) open();
      expect((await Promise.all(replies)).map(({ body }) => String(body.id)).toSorted()).toEqual(ids.toSorted());
      expect(await statuses()).toEqual(ids.map(() => "succeeded"));
    }
  });
});

describe("a client that disconnects", () => {
  test("before its chat is accepted can retry it", async () => {
    const blocker = await host.hub.db.pool.connect();
    let joined;
    try {
      await blocker.query("BEGIN");
      await blocker.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [customer.account]);
      const client = new AbortController();
      const disconnected = host.chat(customer.key, HELLO, { signal: client.signal }).catch(() => null);
      const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      await expect.poll(async () => (await host.hub.db.query(waiting)).length).toBe(1);
      client.abort();
      await disconnected;
      const checkedAt = `SELECT FROM pg_stat_activity
        WHERE query LIKE '%"isOpen"%' AND query_start > $1 AND datname = current_database() AND pid <> pg_backend_pid()`;
      const since = new Date();
      joined = clients.retryChat(customer);
      await expect.poll(async () => (await host.hub.db.query(checkedAt, [since])).length).toBeGreaterThan(0);
      await blocker.query("COMMIT");
    } finally {
      blocker.release();
    }
    expect(isReplayed(await joined)).toBe(true);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test("in the middle of its response can retry it, and gets the whole response", async () => {
    const content = "x".repeat(12_000_000);
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    host.upstream.respondNext(completeWith({ choices }));
    const { port } = new URL(host.url);
    const socket = net.connect(Number(port), "127.0.0.1");
    const body = JSON.stringify({ model: "talk", ...HELLO });
    socket.write(
      `POST ${CHAT} HTTP/1.1\r\nHost: hub.test\r\nAuthorization: Bearer ${customer.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // It reads only the beginning of its response.
    await new Promise((resolve) => socket.once("readable", resolve));
    await ended();
    const joined = clients.retryChat(customer);
    socket.destroy();
    const reply = await joined;
    expect([isReplayed(reply), reply.bytes.length > content.length]).toEqual([true, true]);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test("after its response leaves nothing stored", async () => {
    await host.chat(customer.key, HELLO);
    expect(await clients.listRecords(customer)).toMatchObject([
      { answer: null, request_digest: null, joinable_at: null },
    ]);
    expect(isReplayed(await clients.retryChat(customer))).toBe(false);
  });
});

describe("a killed process", () => {
  test("with a waiting retry leaves the chat to the next retry, once its claim has expired", async () => {
    const open = holdNext(host.upstream);
    const id = await clients.abandonChat(customer);
    open();
    await ended();
    await host.hub.db.query("UPDATE generation SET joinable_at = $2 WHERE id = $1", [
      id,
      new Date(host.hub.now().getTime() + 30_000),
    ]);
    expect(isReplayed(await clients.retryChat(customer))).toBe(false);
    host.hub.clock.advance(31_000);
    expect((await clients.retryChat(customer, HELLO, { count: "2" })).body.id).toBe(id);
  });

  test("with the chat itself leaves its failure to a retry, which costs nothing", async () => {
    holdNext(host.upstream);
    await clients.abandonChat(customer);
    host.hub.clock.advance(70_000);
    const joined = clients.retryChat(customer, HELLO, { url: second });
    expect(await failTimedOut(host.hub)).toBeGreaterThan(0);
    expect((await joined).status).toBe(503);
    expect(await clients.listRecords(customer)).toMatchObject([{ status: "failed", billed_cost: 0n }]);
    await drainChats(host.hub, 20);
    await expect.poll(async () => (await clients.listRecords(customer))[0]!.request_digest).toBeNull();
    expect(isReplayed(await clients.retryChat(customer, HELLO, { count: "2" }))).toBe(false);
  });
});

test("twenty clients that disconnect early, again and again, are charged once each", async () => {
  const releases = Array.from({ length: 20 }, () => holdNext(host.upstream));
  const requestCount = host.upstream.requests.length;
  const bodies = Array.from({ length: 20 }, (_, n) => ({ messages: userMessages(`hello ${n % 4}`) }));
  const first = new AbortController();
  const requests = bodies.map((body) => host.chat(customer.key, body, { signal: first.signal }).catch(() => null));
  // A retry cannot join a request that ended before it reached the hub.
  await expect.poll(() => host.upstream.requests.length - requestCount).toBe(20);
  first.abort();
  expect(await Promise.all(requests)).toEqual(bodies.map(() => null));
  let waitingClient = 0;
  const answers = bodies.map(async (body, n) => {
    for (const count of ["1", "2"]) {
      const signal = AbortSignal.timeout(100 + 20 * n);
      expect(await clients.retryChat(customer, body, { count, signal }).catch(() => null)).toBeNull();
    }
    const last = clients.retryChat(customer, body, { count: "3", url: n % 2 === 0 ? host.url : second });
    // From here on no client disconnects, because one that disconnects as its response arrives would not count as abandoned.
    if ((waitingClient += 1) === 20) for (const open of releases) open();
    return String((await last).body.id);
  });
  const ids = await Promise.all(answers);
  expect(new Set(ids).size).toBe(20);
  expect(host.upstream.requests.length - requestCount).toBe(20);
  expect(await statuses()).toEqual(ids.map(() => "succeeded"));
});
