import { beforeAll, expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { adminOperations } from "../../server/api/admin/openapi";
import { createBudget } from "../../server/domain/budgets/change-budget";
import { closeAccountByOperator } from "../../server/domain/closures";
import { revokeOperatorToken } from "../../server/domain/operator-tokens/operator-token";
import { createVoucher } from "../../server/domain/vouchers/voucher";
import { createToken } from "../../server/domain/workers/worker";
import { newId } from "../../server/lib/id";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { testOperator } from "../operator";
import { sessionHeaders } from "../session";
import { soakCount } from "../soak";
import { actionsOf, callAdmin, newProgram, type Program } from "./program";

const host = await openOwnHost();
const { hub } = host;

/** The objects that the requests of the matrix name. */
interface Ids {
  account: number;
  /** An account that closes. */
  closing: number;
  keyId: string;
  budget: string;
  revision: number;
  voucher: string;
}

/** A request of each operation that works, and what it records. */
type Sample = (ids: Ids) => {
  path: string;
  body?: object;
  headers?: Record<string, string>;
  status?: number;
  action: string | null;
};
const samples: Record<string, Sample> = {
  createAdminAccount: () => ({
    path: "accounts",
    body: { email: `${newId()}@example.org`, password: "correct horse" },
    status: 201,
    action: "account.create",
  }),
  listAdminAccounts: () => ({ path: "accounts?limit=2", action: null }),
  getAdminAccount: ({ account }) => ({ path: `accounts/${account}`, action: null }),
  updateAdminAccount: ({ account }) => ({
    path: `accounts/${account}`,
    body: { suspended: true },
    action: "account.suspend",
  }),
  creditAdminAccount: ({ account }) => ({
    path: `accounts/${account}/credits`,
    body: { amount: 1, reference: newId() },
    status: 201,
    action: "credit.grant",
  }),
  createAdminVoucher: () => ({
    path: "vouchers",
    body: { amount: 5, max_redemptions: 2, expires_at: "2099-01-01T00:00:00Z", note: "a fair" },
    status: 201,
    action: "voucher.create",
  }),
  listAdminVouchers: () => ({ path: "vouchers?limit=2", action: null }),
  revokeAdminVoucher: ({ voucher }) => ({ path: `vouchers/${voucher}`, status: 204, action: "voucher.revoke" }),
  closeAdminAccount: ({ account }) => ({
    path: `accounts/${account}/closing`,
    body: { balance: "give_up", reason: "Contract ended" },
    action: "account.close",
  }),
  getAdminClosing: ({ closing }) => ({ path: `accounts/${closing}/closing`, action: null }),
  keepAdminAccount: ({ closing }) => ({ path: `accounts/${closing}/closing`, status: 204, action: "account.keep" }),
  createAdminKey: ({ account }) => ({
    path: `accounts/${account}/keys`,
    body: { name: "server" },
    status: 201,
    action: "key.create",
  }),
  listAdminKeys: ({ account }) => ({ path: `accounts/${account}/keys`, action: null }),
  updateAdminKey: ({ keyId }) => ({
    path: `keys/${keyId}`,
    body: { spend_limit: 3, spend_limit_reset: "day" },
    action: "key.update",
  }),
  rotateAdminKey: ({ keyId }) => ({ path: `keys/${keyId}/rotate`, body: { grace_hours: 0 }, action: "key.rotate" }),
  revokeAdminKey: ({ keyId }) => ({ path: `keys/${keyId}`, status: 204, action: "key.revoke" }),
  getAccountUsage: ({ account }) => ({ path: `accounts/${account}/usage?group_by=day,model`, action: null }),
  getAllUsage: () => ({ path: "usage?group_by=account,month", action: null }),
  createAdminBudget: ({ account }) => ({
    path: `accounts/${account}/budgets`,
    body: { name: "Team blue", amount: 50, window: "week", scope: { metadata: { team: "blue" } } },
    status: 201,
    action: "budget.create",
  }),
  listAdminBudgets: ({ account }) => ({ path: `accounts/${account}/budgets`, action: null }),
  updateAdminBudget: ({ budget }) => ({ path: `budgets/${budget}`, body: { amount: 60 }, action: "budget.update" }),
  removeAdminBudget: ({ budget }) => ({ path: `budgets/${budget}`, status: 204, action: "budget.remove" }),
  getAdminCatalogue: () => ({ path: "catalogue", action: null }),
  replaceAdminCatalogue: ({ revision }) => ({
    path: "catalogue",
    body: { source: "models: []\n" },
    headers: { "if-match": `"${revision}"` },
    action: "catalogue.apply",
  }),
  checkAdminCatalogue: () => ({ path: "catalogue/check", body: { source: "models: []\n" }, action: null }),
  listAdminRevisions: () => ({ path: "catalogue/revisions", action: null }),
  getAdminBooks: () => ({ path: "books", action: null }),
  replaceAdminBooks: () => ({
    path: "books",
    body: { source: "books: [{ id: partners }]\n" },
    headers: { "if-match": '"0"' },
    action: "book.apply",
  }),
  checkAdminBooks: () => ({ path: "books/check", body: { source: "books: []\n" }, action: null }),
  getStatus: () => ({ path: "status", action: null }),
  listProviders: () => ({ path: "providers", action: null }),
  listPayments: () => ({ path: "payments", action: null }),
  listAuditLog: () => ({ path: "audit-log?limit=2", action: null }),
};
const guarded = adminOperations.filter(({ auth }) => auth === "operator");

async function prepareIds(): Promise<Ids> {
  const { account, email, keyId } = await newCustomer(hub);
  const ctx = contextOf(
    hub,
    { id: account, email, member: false, balance: 0n, reserved: 0n },
    { kind: "user" },
    "test",
  );
  const budget = await hub.db.transaction((tx) =>
    createBudget(tx, ctx, { name: "all", amount: 1, window: "day", scope: { keys: [keyId] } }),
  );
  const [row] = await hub.db.query<{ id: number }>("SELECT coalesce(max(id), 0)::int AS id FROM catalogue_revision");
  const { record: voucher } = await createVoucher(hub, testOperator, {
    amount: 1n,
    maxRedemptions: 1,
    expiresAt: null,
  });
  const { account: closing } = await newCustomer(hub);
  await closeAccountByOperator(hub, testOperator, { id: closing, balance: "give_up", days: 14 });
  return { account, closing, keyId, budget: budget.id, revision: row!.id, voucher: voucher.id };
}
/** For requests that change nothing. */
let ids: Ids;
let auditor: Program;
beforeAll(async () => {
  ids = await prepareIds();
  auditor = await newProgram(hub, { role: "auditor" });
});

/** Everything that the management API changes. */
const readState = async () => {
  const tables = [
    "account",
    "person",
    "closure",
    "api_key",
    "ledger_entry",
    "key_spending",
    "budget",
    "budget_spending",
    "book_revision",
    "catalogue_revision",
    "operator_action",
    "operator_token",
  ];
  return Promise.all(
    tables.map(async (table) => {
      const rows = await hub.db.query(`SELECT md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM ${table} t`);
      return { table, rows };
    }),
  );
};

test("the table has every operation, and every one but the document needs a token with a role", () => {
  expect(guarded.map(({ name }) => name).sort()).toEqual(Object.keys(samples).sort());
  expect(adminOperations.filter(({ auth }) => auth === "none").map(({ name }) => name)).toEqual(["describeAdminApi"]);
  expect(guarded.filter(({ role }) => role === undefined)).toEqual([]);
  expect(guarded.filter(({ role, method }) => role === "auditor" && method !== "get")).toEqual([]);
});

test.each(guarded.map(({ name, method }) => [name, method] as const))(
  "%s: an operator's token works and leaves one row for a change, an auditor's reads only",
  async (name, method) => {
    const operator = await newProgram(hub);
    const sample = samples[name]!(method === "get" ? ids : await prepareIds());
    const before = await readState();
    const read = await callAdmin(host, auditor, method.toUpperCase(), sample.path, sample);
    expect(read.status).toBe(method === "get" ? 200 : 403);
    expect(await readState()).toEqual(before);

    const reply = await callAdmin(host, operator, method.toUpperCase(), sample.path, sample);
    expect({ status: reply.status, body: reply.body }).toMatchObject({ status: sample.status ?? 200 });
    const actions = await actionsOf(hub, operator);
    const expected = { action: sample.action, operator: operator.name, via: "api" };
    expect(actions).toMatchObject(sample.action === null ? [] : [expected]);
    expect(reply.headers.get("ratelimit-policy")).toMatch(method === "get" ? /^"reads"/ : /^"writes"/);
  },
);

test("nothing else opens it: no key, no worker's token, no session, no token that has ended", async () => {
  const customer = await newCustomer(hub);
  const worker = await createToken(hub, testOperator, newId());
  const [revoked, expired] = [
    await newProgram(hub),
    await newProgram(hub, { expiresAt: new Date(hub.now().getTime() + 60_000) }),
  ];
  expect((await callAdmin(host, revoked, "GET", "status")).status).toBe(200);
  expect((await callAdmin(host, expired, "GET", "status")).status).toBe(200);
  await revokeOperatorToken(hub, testOperator, revoked.name);
  hub.clock.advance(60_001);
  const cookies = await sessionHeaders(hub, customer.account);
  const credentials: Record<string, string>[] = [
    {},
    cookies,
    ...[customer.key, worker.token, revoked.token, expired.token, `${revoked.token}x`, "service_ok_"].map((token) => ({
      authorization: `Bearer ${token}`,
    })),
  ];
  // Tries each operation with one credential; in the soak, with all of them.
  for (const [index, { name, method }] of guarded.entries()) {
    const sample = samples[name]!(ids);
    const count = soakCount(1, credentials.length);
    for (let turn = 0; turn < count; turn += 1) {
      const headers = { ...sample.headers, ...credentials[(index + turn) % credentials.length] };
      const before = await readState();
      const reply = await callApi(host, method.toUpperCase(), `/api/v1/admin/${sample.path}`, { ...sample, headers });
      expect({ name, status: reply.status }).toEqual({ name, status: 401 });
      expect(await readState()).toEqual(before);
    }
  }
});

test.each([
  ["GET", "/api/v1/me"],
  ["GET", "/api/v1/hub/generations"],
  ["GET", "/api/v1/hub/keys"],
  ["POST", "/api/v1/worker/claim"],
  ["GET", "/v1/models"],
])("a token does not open %s %s", async (method, path) => {
  const { token } = await newProgram(hub);
  const response = await fetch(host.url + path, { method, headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(401);
});

test("the changes of a key are recorded with what differs, and without a secret", async () => {
  const program = await newProgram(hub);
  const { account, keyId } = await newCustomer(hub);
  const patch = (body: object) => callAdmin(host, program, "PATCH", `keys/${keyId}`, { body });
  await patch({ name: "web", paused: true });
  await patch({ name: "web" });
  await patch({ spend_limit: 2 });
  const { body } = await callAdmin(host, program, "POST", `keys/${keyId}/rotate`, { body: { grace_hours: 24 } });
  expect((await callAdmin(host, program, "POST", `keys/${keyId}/rotate`, { body: { grace_hours: 1 } })).status).toBe(
    409,
  );
  await callAdmin(host, program, "DELETE", `keys/${keyId}`);
  expect((await callAdmin(host, program, "DELETE", `keys/${keyId}`)).status).toBe(404);
  const actions = await actionsOf(hub, program);
  expect(actions.map(({ action, target_id }) => [action, target_id])).toEqual(
    ["key.update", "key.update", "key.rotate", "key.revoke"].map((action) => [action, String(account)]),
  );
  expect(actions[0]).toMatchObject({ before: { name: "test", paused_at: null }, after: { name: "web" } });
  expect(actions[1]).toMatchObject({ before: { spend_limit: null }, after: { spend_limit: "2" } });
  expect(JSON.stringify(actions)).not.toContain(body.key);
});

test("an account is suspended and resumed; what is so already changes nothing", async () => {
  const program = await newProgram(hub);
  const { account, key } = await newCustomer(hub);
  const patch = (body: object) => callAdmin(host, program, "PATCH", `accounts/${account}`, { body });
  expect((await patch({ suspended: true, member: true, weight: 4, reason: "Ticket 7" })).body).toMatchObject({
    id: account,
    suspended: true,
    member: true,
    weight: 4,
  });
  for (const weight of [0, 101, 1.5, "2"]) expect((await patch({ weight })).body.code).toBe("invalid_input");
  expect((await callApi(host, "GET", "/api/v1/me", { key })).status).toBe(401);
  await patch({ suspended: true });
  const create = () => callAdmin(host, program, "POST", `accounts/${account}/keys`, { body: { name: "server" } });
  expect((await create()).body).toMatchObject({ status: 409, code: "invalid_state" });
  await patch({ suspended: false });
  expect((await create()).status).toBe(201);
  expect((await callApi(host, "GET", "/api/v1/me", { key })).status).toBe(200);
  expect((await actionsOf(hub, program)).map(({ action }) => action)).toEqual([
    "account.suspend",
    "account.set-member",
    "account.set-weight",
    "account.resume",
    "key.create",
  ]);
});

test("accounts are listed in pages and found; a cursor belongs to its filters", async () => {
  const program: Program = await newProgram(hub, { role: "auditor" });
  const customers = [await newCustomer(hub), await newCustomer(hub), await newCustomer(hub)];
  const seen: number[] = [];
  let cursor: string | null = "";
  while (cursor !== null && seen.length < 3) {
    const { body } = await callAdmin(host, program, "GET", `accounts?limit=2${cursor && `&cursor=${cursor}`}`);
    seen.push(...(body.data as { id: number }[]).map(({ id }) => id));
    cursor = body.next_cursor as string | null;
  }
  expect(seen.slice(0, 3)).toEqual(customers.map(({ account }) => account).reverse());
  const found = await callAdmin(host, program, "GET", `accounts?q=${customers[1]!.email}`);
  expect(found.body).toMatchObject({ data: [{ id: customers[1]!.account }], next_cursor: null });
  const first = await callAdmin(host, program, "GET", "audit-log?limit=1");
  const other = `audit-log?limit=1&action=key.create&cursor=${first.body.next_cursor as string}`;
  expect((await callAdmin(host, program, "GET", other)).status).toBe(400);
});

test.each([
  ["GET", "accounts/abc", undefined, 404],
  ["GET", "accounts/2147483647", undefined, 404],
  ["PATCH", "accounts/99999999999", { suspended: true }, 404],
  ["POST", "accounts/2147483647/keys", { name: "x" }, 404],
  ["DELETE", "keys/abc", undefined, 404],
  ["PATCH", "keys/01890000-0000-7000-8000-000000000000", { name: "x" }, 404],
  ["POST", "accounts", { email: "nobody" }, 400],
  ["POST", "accounts", { email: "a@example.org", password: "short" }, 400],
  ["POST", "accounts", { email: "a@example.org", credit: 5 }, 400],
  ["GET", "payments?filter=lost", undefined, 400],
  ["GET", "payments?q=a%00", undefined, 400],
  ["GET", "accounts?q=%00x", undefined, 400],
  ["GET", "audit-log?action=%00", undefined, 400],
  ["GET", "audit-log?operator=%00", undefined, 400],
  ["GET", "audit-log?target=%00", undefined, 400],
  ["PUT", "catalogue", { source: "models: []\n" }, 400],
  ["POST", "budgets", {}, 404],
])("%s %s with %j is %i", async (method, path, body, status) => {
  const reply = await callAdmin(host, await newProgram(hub), method, path, { body });
  expect(reply.status).toBe(status);
});

test("names the place of what is wrong with a budget's scope", async () => {
  const program = await newProgram(hub);
  const { account } = await newCustomer(hub);
  const placesOf = async (scope: object) => {
    const body = { name: "b", amount: 1, window: "day", scope };
    const reply = await callAdmin(host, program, "POST", `accounts/${account}/budgets`, { body });
    return [reply.status, ...Object.keys(reply.body.errors as object)];
  };
  for (const scope of [{}, { member: "x" }, { each_end_user: false }, { team: "x" }])
    expect(await placesOf(scope)).toEqual([400, "scope"]);
  expect(await placesOf({ keys: [] })).toEqual([400, "scope.keys"]);
  expect(await placesOf({ metadata: "x" })).toEqual([400, "scope.metadata"]);
});
