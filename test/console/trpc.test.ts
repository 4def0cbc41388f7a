import { beforeAll, expect, test } from "vitest";
import { GET, POST } from "@/app/api/trpc/[trpc]/route";
import { shareHub } from "@/server/share-hub";
import { newId } from "@/server/lib/id";
import { root } from "@/server/trpc/root";
import { insertWithHold } from "@/server/domain/generations/intake/insert-with-hold";
import { newCustomer } from "../api/customer";
import { queuedGeneration } from "../generation-fixture";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { newSession, sessionCookie } from "../session";

const hub = await testHub({
  BASE_URL: "https://hub.test",
  RATE_LIMIT_KEYS_PER_MINUTE: "20",
  OUTBOUND_ALLOW_HOSTS: "localhost:9",
});
const all = Object.entries(
  root._def.procedures as unknown as Record<string, { _def: { type: "query" | "mutation" } }>,
).map(([path, { _def }]) => ({ path, type: _def.type }));
const open = ["access.acceptInvitation", "access.forgotPassword", "access.resetPassword", "access.signUp"];
const guarded = all.filter(({ path }) => !open.includes(path));

let customer: Awaited<ReturnType<typeof newCustomer>>;
let session: string;
let cookie: string;
beforeAll(async () => {
  shareHub(hub);
  customer = await newCustomer(hub);
  session = await newSession(hub, customer.account);
  cookie = await sessionCookie(hub, customer.account, { session });
});

/** Returns the Unix seconds just before this many days ago. */
const ago = (days: number) => Math.floor(hub.now().getTime() / 1000) - days * 86_400 - 60;

interface Answer {
  status: number;
  error?: { message: string; data: { code: string; errors: Record<string, string[]> } };
  data?: unknown;
}

async function callProcedure(
  type: "query" | "mutation",
  path: string,
  headers: Record<string, string>,
  input?: unknown,
): Promise<Answer> {
  const url = `https://hub.test/api/trpc/${path}`;
  const sent = JSON.stringify({ json: input });
  const response =
    type === "query"
      ? await GET(new Request(`${url}?input=${encodeURIComponent(sent)}`, { headers }))
      : await POST(
          new Request(url, { method: "POST", body: sent, headers: { "content-type": "application/json", ...headers } }),
        );
  const body = (await response.json()) as { error?: { json: Answer["error"] }; result?: { data: { json: unknown } } };
  return { status: response.status, error: body.error?.json, data: body.result?.data.json };
}

test("the loops below cover every procedure that needs a session", () => {
  expect(guarded.length).toBeGreaterThanOrEqual(22);
  expect(all.length - guarded.length).toBe(open.length);
});

test.each(guarded)("$path accepts only a session", async ({ type, path }) => {
  const rejected: Record<string, Record<string, string>> = {
    "nothing at all": {},
    "a key": { authorization: `Bearer ${customer.key}` },
    "a key beside the session": { cookie, authorization: `Bearer ${customer.key}` },
    "a page of somebody else": { cookie, origin: "https://elsewhere.example" },
    "a damaged cookie": { cookie: cookie.slice(0, -3) },
    "a token without a session": { cookie: await sessionCookie(hub, customer.account, { session: undefined }) },
    "a session that has ended": { cookie: await sessionCookie(hub, customer.account, { session: newId() }) },
    "a session that is too old": { cookie: await sessionCookie(hub, customer.account, { session, began: ago(30) }) },
    "a session that nobody used": { cookie: await sessionCookie(hub, customer.account, { session, seen: ago(7) }) },
  };
  for (const [name, headers] of Object.entries(rejected)) {
    const { status, error } = await callProcedure(type, path, headers);
    expect({ name, status, code: error?.data.code }).toEqual({ name, status: 401, code: "unauthorized" });
  }
});

test("accepts a session shortly before it expires", async () => {
  const long = { cookie: await sessionCookie(hub, customer.account, { began: ago(30) + 120, seen: ago(7) + 120 }) };
  expect((await callProcedure("query", "account.get", long)).status).toBe(200);
});

test("treats another account's objects as missing", async () => {
  const otherAccount = await newCustomer(hub);
  const { key, account } = otherAccount;
  const otherAccounts = { cookie: await sessionCookie(hub, account) };
  const sent = { url: "https://localhost:9/hook", events: ["generation.completed"] };
  const endpoint = (await callProcedure("mutation", "webhooks.create", otherAccounts, sent)).data as { id: string };
  const delivery = (await callProcedure("mutation", "webhooks.sendTest", otherAccounts, { id: endpoint.id })).data as {
    id: string;
  };
  const otherAccountsSession = await newSession(hub, account);
  const generation = queuedGeneration(account, 1n);
  await insertWithHold(hub, generation);
  const owned: Record<string, string> = {
    "keys.revoke": otherAccount.keyId,
    "generations.get": generation.id,
    "generations.cancel": generation.id,
    "generations.runAgain": generation.id,
    "webhooks.get": endpoint.id,
    "webhooks.revoke": endpoint.id,
    "webhooks.rotateSecret": endpoint.id,
    "webhooks.sendTest": endpoint.id,
    "webhooks.deliveries": endpoint.id,
    "webhooks.request": delivery.id,
    "webhooks.redeliver": delivery.id,
    "webhooks.redeliverFailed": endpoint.id,
    "sessions.end": otherAccountsSession,
  };
  for (const { path, type } of guarded.filter(({ path }) => path in owned)) {
    for (const id of [owned[path], newId(), "none"]) {
      const { status, error } = await callProcedure(type, path, { cookie }, { id });
      expect({ path, status, code: error?.data.code }).toEqual({
        path,
        status: 404,
        code: path.startsWith("generations.") ? "generation_not_found" : "resource_not_found",
      });
    }
  }
  const lists = [
    "keys.list",
    "generations.recent",
    "generations.list",
    "webhooks.list",
    "sessions.list",
    "balance.holds",
  ];
  for (const path of [...lists, "balance.statement"]) {
    const { data } = await callProcedure("query", path, { cookie }, {});
    for (const id of [...Object.values(owned), key]) expect(JSON.stringify(data)).not.toContain(id);
  }
});

test("names the location of an issue, and hides the details of an internal error", async () => {
  const issues: [unknown, string][] = [
    [{ name: "" }, "name"],
    [{ name: "x", spend_limit: -1 }, "spend_limit"],
    [{ name: "x", expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ name: "x", spend_limit_reset: "day" }, "spend_limit_reset"],
    [{ name: "x", constructor: 1 }, "constructor"],
    [undefined, "body"],
  ];
  for (const [input, location] of issues) {
    const { status, error } = await callProcedure("mutation", "keys.create", { cookie }, input);
    expect({ status, data: error?.data }).toMatchObject({
      status: 400,
      data: { code: "invalid_input", errors: { [location]: [expect.any(String)] } },
    });
  }
  const fail = () => Promise.reject(new Error("inner detail"));
  shareHub(deriveHub(hub, { db: { ...hub.db, query: fail, transaction: fail } }));
  const { status, error } = await callProcedure(
    "mutation",
    "access.signUp",
    {},
    { email: "a@example.org", password: "correct horse" },
  );
  shareHub(hub);
  expect({ status, code: error?.data.code }).toEqual({ status: 500, code: "internal_error" });
  expect(JSON.stringify(error)).not.toContain("inner detail");
});

test("shares the rate limit of key management with REST", async () => {
  const { account } = await newCustomer(hub);
  const headers = { cookie: await sessionCookie(hub, account) };
  const codes = new Set<number>();
  for (let count = 0; count < 22; count += 1) {
    codes.add((await callProcedure("mutation", "keys.create", headers, { name: `k${count}` })).status);
  }
  expect([...codes]).toEqual([200, 429]);
});

test("rejects a large body and a large batch", async () => {
  const large = new Request("https://hub.test/api/trpc/keys.create", {
    method: "POST",
    body: JSON.stringify({ json: { name: "x".repeat(256 * 1024) } }),
    headers: { cookie, "content-type": "application/json" },
  });
  expect((await POST(large)).status).toBe(413);
  const many = Array.from({ length: 21 }, () => "account.get").join(",");
  const response = await GET(
    new Request(`https://hub.test/api/trpc/${many}?batch=1&input=%7B%7D`, { headers: { cookie } }),
  );
  expect(response.status).toBe(400);
});
