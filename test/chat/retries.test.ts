import net from "node:net";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { drainChats } from "../../server/domain/chat/in-flight";
import { purgeJoinable } from "../../server/domain/generations/joinable";
import { failTimedOut } from "../../server/domain/runs/fail-timed-out";
import { createKey } from "../../server/domain/keys/create";
import { type Customer, newCustomer } from "../api/customer";
import { times } from "../soak";
import { CHAT, openChatHost, user } from "./host";
import { createRetryClients, HELLO, openSecondHost } from "./retry-clients";
import { error, holdNext, say, sayWith } from "./upstream";

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
const statuses = async () => (await clients.records(customer)).map(({ status }) => status);
const ended = () => expect.poll(async () => (await statuses()).includes("running")).toBe(false);

describe("a retry whose first request's client left", () => {
  test.each([
    ["this process", () => host.url],
    ["another process", () => second],
  ])("waits for the chat that runs and gets its answer, in %s", async (_name, url) => {
    const open = holdNext(host.upstream);
    const id = await clients.leave(customer);
    const answer = clients.retry(customer, HELLO, { url: url() });
    await expect.poll(async () => (await clients.records(customer))[0]!.joinable_at! > host.hub.now()).toBe(true);
    open();
    const reply = await answer;
    expect([reply.status, isReplayed(reply), reply.body.id]).toEqual([200, true, id]);
    expect(await clients.records(customer)).toMatchObject([{ id, status: "succeeded", billed_cost: 15_000n }]);
  });

  test("gets the answer of the chat that has ended, once, and nothing of it is kept", async () => {
    const open = holdNext(host.upstream);
    const id = await clients.leave(customer);
    open();
    await ended();
    expect((await clients.retry(customer)).body.id).toBe(id);
    await expect
      .poll(async () => clients.records(customer))
      .toMatchObject([{ answer: null, request_digest: null, joinable_at: null }]);
    const next = await clients.retry(customer, HELLO, { count: "2" });
    expect([next.status, isReplayed(next)]).toEqual([200, false]);
    expect(await statuses()).toEqual(["succeeded", "succeeded"]);
  });

  test("gets its failure, and the next retry begins anew", async () => {
    for (const [status, code] of [
      [400, 400],
      [429, 429],
      [500, 503],
    ] as const) {
      const open = holdNext(host.upstream, say(status, error(`upstream ${status}`)));
      await clients.leave(customer);
      open();
      await ended();
      const failed = await clients.retry(customer);
      expect([failed.status, isReplayed(failed)]).toEqual([code, true]);
      expect(failed.body.error).toMatchObject({ code: "provider_error" });
      expect(failed.headers.has("retry-after")).toBe(code !== 400);
      await expect.poll(async () => (await clients.records(customer)).at(-1)!.request_digest).toBeNull();
      expect(isReplayed(await clients.retry(customer, HELLO, { count: "2" }))).toBe(false);
    }
  });

  test("frees it for the next one when its own client leaves too, also while the chat runs", async () => {
    const open = holdNext(host.upstream);
    const id = await clients.leave(customer);
    for (let n = 1; n <= 3; n += 1) {
      const client = new AbortController();
      const lost = clients.retry(customer, HELLO, { count: String(n), signal: client.signal }).catch(() => null);
      await expect.poll(async () => (await clients.records(customer))[0]!.joinable_at! > host.hub.now()).toBe(true);
      client.abort();
      expect(await lost).toBeNull();
    }
    open();
    expect((await clients.retry(customer, HELLO, { count: "4" })).body.id).toBe(id);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test("is joined before the hold: it needs no credit of its own, but a key that is valid", async () => {
    const spender = await newCustomer(host.hub, { credit: 0.003 });
    const body = { ...HELLO, max_tokens: 1000 };
    const open = holdNext(host.upstream);
    const id = await clients.leave(spender, body);
    expect((await clients.retry({ ...spender, key: `${spender.key}x` }, body)).status).toBe(401);
    const joined = clients.retry(spender, body);
    open();
    expect((await joined).body.id).toBe(id);
  });
});

describe("what is no retry of it", () => {
  test.each(["0", "101", "01", "1, 1"])("a count of %s begins anew", async (count) => {
    const open = holdNext(host.upstream);
    await clients.leave(customer);
    expect(isReplayed(await clients.retry(customer, HELLO, { count }))).toBe(false);
    open();
    await ended();
    expect(isReplayed(await clients.retry(customer, HELLO, { count: "100" }))).toBe(true);
  });

  test("without the header, and of another body, key or account, it begins anew", async () => {
    const open = holdNext(host.upstream);
    await clients.leave(customer);
    open();
    await ended();
    const { key } = await createKey(host.hub, customer.account, { name: "other" });
    const replies = [
      await host.chat(customer.key, HELLO),
      // The bytes count, not what they mean.
      await clients.retry(customer, { ...HELLO, temperature: 0 }),
      await clients.retry({ ...customer, key }),
      await clients.retry(await newCustomer(host.hub)),
    ];
    expect(replies.map((reply) => [reply.status, isReplayed(reply)])).toEqual(replies.map(() => [200, false]));
    expect(isReplayed(await clients.retry(customer))).toBe(true);
  });

  test("an Idempotency-Key takes precedence, of the first and of the second", async () => {
    const gates = [holdNext(host.upstream), holdNext(host.upstream)];
    const keyed = await clients.leave(customer, HELLO, { "idempotency-key": "mine" });
    const plain = await clients.leave(customer);
    for (const open of gates) open();
    await ended();
    const both = (key: string) =>
      host.chat(customer.key, HELLO, { headers: { "idempotency-key": key, "x-stainless-retry-count": "1" } });
    expect((await both("mine")).body.id).toBe(keyed);
    expect(isReplayed(await both("other"))).toBe(false);
    expect((await clients.retry(customer)).body.id).toBe(plain);
  });

  test("after ten minutes it is forgotten, with its answer", async () => {
    const gates = [holdNext(host.upstream), holdNext(host.upstream)];
    const ids = [await clients.leave(customer), await clients.leave(customer)];
    for (const open of gates) open();
    await ended();
    host.hub.clock.advance(9 * MINUTE_MS + 50_000);
    await purgeJoinable(host.hub, 100);
    expect((await clients.retry(customer)).body.id).toBe(ids[0]);
    host.hub.clock.advance(20_000);
    expect(isReplayed(await clients.retry(customer))).toBe(false);
    expect(await purgeJoinable(host.hub, 100)).toBe(1);
    expect((await clients.records(customer))[1]).toMatchObject({
      status: "succeeded",
      answer: null,
      request_digest: null,
    });
  });
});

describe("equal calls of two clients", () => {
  test("that both get their answers are charged twice, although one is repeated", async () => {
    const open = holdNext(host.upstream);
    const first = host.chat(customer.key, HELLO);
    await expect.poll(async () => statuses()).toEqual(["running"]);
    const began = performance.now();
    const other = await clients.retry(customer);
    // It might have left, and nobody would know yet.
    expect(performance.now() - began).toBeGreaterThan(900);
    open();
    expect((await first).body.id).not.toBe(other.body.id);
    expect(isReplayed(other)).toBe(false);
  });

  test.each([
    ["this process", () => host.url],
    ["another process", () => second],
  ])("of which the first leaves while the retry waits for it are one, in %s", async (_name, url) => {
    const open = holdNext(host.upstream);
    const client = new AbortController();
    const lost = host.chat(customer.key, HELLO, { signal: client.signal }).catch(() => null);
    await expect.poll(async () => statuses()).toEqual(["running"]);
    const joined = clients.retry(customer, HELLO, { url: url() });
    client.abort();
    await lost;
    // Only the process itself knows of a leave that is not yet written down.
    if (url() === second)
      await expect.poll(async () => (await clients.records(customer))[0]!.joinable_at).not.toBeNull();
    open();
    expect(isReplayed(await joined)).toBe(true);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test(
    "that are left and repeated at once, in any order and by any process, are each charged once",
    { timeout: times(30_000, 120_000) },
    async () => {
      for (let round = 0; round < times(3, 40); round += 1) {
        customer = await newCustomer(host.hub);
        const count = 2 + (round % 7);
        const gates = Array.from({ length: count }, () => holdNext(host.upstream));
        const ids: string[] = [];
        for (let n = 0; n < count; n += 1) ids.push(await clients.leave(customer));
        if (round % 2 === 0) for (const open of gates) open();
        const replies = Array.from({ length: count }, (_, n) =>
          clients.retry(customer, HELLO, n % 2 === 0 ? {} : { url: second }),
        );
        for (const open of gates) open();
        expect((await Promise.all(replies)).map(({ body }) => String(body.id)).toSorted()).toEqual(ids.toSorted());
        expect(await statuses()).toEqual(ids.map(() => "succeeded"));
      }
    },
  );
});

describe("a client that leaves", () => {
  test("before its chat is accepted can repeat it all the same", async () => {
    const blocker = await host.hub.db.pool.connect();
    let joined;
    try {
      await blocker.query("BEGIN");
      await blocker.query("SELECT FROM account WHERE id = $1 FOR UPDATE", [customer.account]);
      const client = new AbortController();
      const lost = host.chat(customer.key, HELLO, { signal: client.signal }).catch(() => null);
      const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      await expect.poll(async () => (await host.hub.db.query(waiting)).length).toBe(1);
      client.abort();
      await lost;
      const looked = `SELECT FROM pg_stat_activity
        WHERE query LIKE '%"isOpen"%' AND query_start > $1 AND datname = current_database() AND pid <> pg_backend_pid()`;
      const since = new Date();
      joined = clients.retry(customer);
      await expect.poll(async () => (await host.hub.db.query(looked, [since])).length).toBeGreaterThan(0);
      await blocker.query("COMMIT");
    } finally {
      blocker.release();
    }
    expect(isReplayed(await joined)).toBe(true);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test("in the middle of its answer can repeat it, and gets all of it", async () => {
    const content = "x".repeat(12_000_000);
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    host.upstream.next(sayWith({ choices }));
    const { port } = new URL(host.url);
    const socket = net.connect(Number(port), "127.0.0.1");
    const body = JSON.stringify({ model: "talk", ...HELLO });
    socket.write(
      `POST ${CHAT} HTTP/1.1\r\nHost: hub.test\r\nAuthorization: Bearer ${customer.key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    // Of its answer it takes the beginning.
    await new Promise((resolve) => socket.once("readable", resolve));
    await ended();
    const joined = clients.retry(customer);
    socket.destroy();
    const reply = await joined;
    expect([isReplayed(reply), reply.bytes.length > content.length]).toEqual([true, true]);
    expect(await statuses()).toEqual(["succeeded"]);
  });

  test("leaves nothing behind when it has its answer", async () => {
    await host.chat(customer.key, HELLO);
    expect(await clients.records(customer)).toMatchObject([{ answer: null, request_digest: null, joinable_at: null }]);
    const began = performance.now();
    expect(isReplayed(await clients.retry(customer))).toBe(false);
    expect(performance.now() - began).toBeLessThan(900);
  });
});

describe("a process that is gone", () => {
  test("with a retry that waited there leaves the chat to the next one, once its claim has ended", async () => {
    const open = holdNext(host.upstream);
    const id = await clients.leave(customer);
    open();
    await ended();
    await host.hub.db.query("UPDATE generation SET joinable_at = $2 WHERE id = $1", [
      id,
      new Date(host.hub.now().getTime() + 30_000),
    ]);
    expect(isReplayed(await clients.retry(customer))).toBe(false);
    host.hub.clock.advance(31_000);
    expect((await clients.retry(customer, HELLO, { count: "2" })).body.id).toBe(id);
  });

  test("with the chat itself leaves its failure to a retry, which costs nothing", async () => {
    holdNext(host.upstream);
    await clients.leave(customer);
    host.hub.clock.advance(70_000);
    const joined = clients.retry(customer, HELLO, { url: second });
    expect(await failTimedOut(host.hub)).toBeGreaterThan(0);
    expect((await joined).status).toBe(503);
    expect(await clients.records(customer)).toMatchObject([{ status: "failed", billed_cost: 0n }]);
    await drainChats(host.hub, 20);
    await expect.poll(async () => (await clients.records(customer))[0]!.request_digest).toBeNull();
    expect(isReplayed(await clients.retry(customer, HELLO, { count: "2" }))).toBe(false);
  });
});

test("twenty clients that give up early, again and again, are charged once each", async () => {
  const gates = Array.from({ length: 20 }, () => holdNext(host.upstream));
  const asked = host.upstream.seen.length;
  let patient = 0;
  const answers = Array.from({ length: 20 }, async (_, n) => {
    const body = { messages: user(`hello ${n % 4}`) };
    for (let count = 0; count < 3; count += 1) {
      const headers: Record<string, string> = count > 0 ? { "x-stainless-retry-count": String(count) } : {};
      const signal = AbortSignal.timeout(100 + 20 * n);
      expect(await host.chat(customer.key, body, { headers, signal }).catch(() => null)).toBeNull();
    }
    const last = clients.retry(customer, body, { count: "3", url: n % 2 === 0 ? host.url : second });
    // Nobody leaves any more: who left as the answer arrived would not have left by the rule.
    if ((patient += 1) === 20) for (const open of gates) open();
    return String((await last).body.id);
  });
  const ids = await Promise.all(answers);
  expect(new Set(ids).size).toBe(20);
  expect(host.upstream.seen.length - asked).toBe(20);
  expect(await statuses()).toEqual(ids.map(() => "succeeded"));
});
