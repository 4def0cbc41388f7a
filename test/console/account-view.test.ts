import { expect, test } from "vitest";
import { contextOf } from "../../server/context";
import { setHubRole } from "../../server/domain/people/hub-role";
import { signOut } from "../../server/domain/sessions/session";
import { resolveSession } from "../../server/domain/sessions/resolve-session";
import { setAccountUsageMetadata } from "../../server/domain/usage/label";
import { endStaleViews } from "../../server/domain/views/account-view";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { newCustomer } from "../api/customer";
import { callApi } from "../api/call";
import { openOwnHost } from "../api/hosts";
import { queuedGeneration } from "../generation-fixture";
import { insertManyWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { insertFile } from "../insert-file";
import { recordStatements } from "../record-statements";
import { testOperator } from "../operator";
import { sessionCookie } from "../session";

const host = await openOwnHost();
const { hub } = host;
const callerOf = createCallerFactory(root);
const MINUTE_MS = 60_000;

/** Somebody with a role of the hub, whose session is resolved anew for each call. */
async function newOperator(role: "operator" | "auditor" = "operator") {
  const { account, email } = await newCustomer(hub);
  await setHubRole(hub, testOperator, email, role);
  const cookie = await sessionCookie(hub, account);
  const [{ id } = { id: "" }] = await hub.db.query<{ id: string }>("SELECT id FROM session WHERE account_id = $1", [
    account,
  ]);
  const resolve = () => {
    const seconds = Math.floor(hub.now().getTime() / 1000);
    return resolveSession(hub, { sessionId: id, began: seconds, seen: seconds });
  };
  const console = async () => {
    const session = await resolve();
    return callerOf({
      hub,
      address: "192.0.2.1",
      isFromOwnPage: true,
      session: session && contextOf(hub, session.account, session.actor, "request-1"),
    });
  };
  return { account, email, cookie, sessionId: id, resolve, console };
}

const prompt = "a secret lighthouse";
async function newViewed() {
  const customer = await newCustomer(hub);
  await setAccountUsageMetadata(hub, testOperator, { id: customer.account, names: ["team"] });
  const generation = { ...queuedGeneration(customer.account, 1_000n), input: { prompt }, end_user: "ada" };
  await insertManyWithHold(hub.db, [generation]);
  const file = await insertFile(hub, customer.account, Buffer.from("content"));
  return { ...customer, generation: generation.id, file };
}
const actionsOf = (account: number) =>
  hub.db.query<{ action: string; person_id: number; reason: string | null }>(
    `SELECT action, person_id, reason FROM operator_action JOIN operator_action_text ON action_id = id
     WHERE target_kind = 'account' AND target_id = $1 AND action LIKE 'view.%' ORDER BY id`,
    [String(account)],
  );
const forbidden = { code: "FORBIDDEN" };

test("shows an account for 15 minutes, read-only, and records its start and its end", async () => {
  const [operator, viewed] = [await newOperator(), await newViewed()];
  const { admin } = await operator.console();
  await admin.views.start({ account: viewed.account, reason: null });
  const console = await operator.console();
  expect(await console.account.get()).toMatchObject({ email: viewed.email, permissions: ["self", "read", "billing"] });
  await expect(console.keys.create({ name: "x" })).rejects.toMatchObject(forbidden);
  await expect(console.account.changePassword({ current: "", password: "" })).rejects.toMatchObject(forbidden);
  await expect(console.admin.views.start({ account: operator.account, reason: null })).rejects.toMatchObject(forbidden);
  hub.clock.advance(14 * MINUTE_MS);
  expect((await operator.resolve())!.account.id).toBe(viewed.account);
  hub.clock.advance(2 * MINUTE_MS);
  expect((await operator.resolve())!.account.id).toBe(operator.account);
  await endStaleViews(hub, 10);
  await endStaleViews(hub, 10);
  expect(await actionsOf(viewed.account)).toMatchObject([
    { action: "view.start", reason: null },
    { action: "view.end", reason: null },
  ]);
});

test("hides prompts, outputs and files unless a reason was given", async () => {
  const [operator, viewed] = [await newOperator("auditor"), await newViewed()];
  await (await operator.console()).admin.views.start({ account: viewed.account, reason: null });
  const hidden = await operator.console();
  const { data } = await hidden.generations.list({});
  expect(data).toMatchObject([{ id: viewed.generation, title: null, output: null }]);
  expect(await hidden.generations.get({ id: viewed.generation })).toMatchObject({
    input: {},
    metadata: {},
    end_user: null,
    outputs: [],
    missing: [],
  });
  for (const filter of [{ end_user: "ada" }, { metadata: { team: "blue" } }])
    await expect(hidden.generations.list(filter)).rejects.toMatchObject({ code: "BAD_REQUEST" });
  for (const by of ["end_user", "metadata.team"])
    await expect(hidden.usage.chart({ period: "24h", by })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect(await hidden.usage.chart({ period: "24h", by: "model" })).toMatchObject({ labels: [] });
  hub.services.rejectionLog.record({
    accountId: viewed.account,
    keyId: viewed.keyId,
    requestId: "r",
    method: "POST",
    path: "/api/v1/hub/generations",
    status: 400,
    code: "invalid_input",
    message: `input.${prompt}: is not a parameter`,
  });
  await hub.services.rejectionLog.flush();
  const { data: rejected } = await hidden.requests.list({ show: "rejected" });
  expect(rejected).toMatchObject([{ code: "invalid_input" }]);
  expect(JSON.stringify(rejected)).not.toContain(prompt);
  await expect(hidden.generations.list({ q: "secret" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  expect((await hidden.generations.list({ q: viewed.generation })).data).toHaveLength(1);
  for (const call of [
    () => hidden.files.list({}),
    () => hidden.characters.list({}),
    () => hidden.playground.recentRuns(),
    () => hidden.webhooks.request({ id: "x" }),
  ])
    await expect(call()).rejects.toMatchObject(forbidden);
  await hidden.views.stop();

  await (await operator.console()).admin.views.start({ account: viewed.account, reason: "Ticket 7" });
  const shown = await operator.console();
  expect(await shown.generations.get({ id: viewed.generation })).toMatchObject({ input: { prompt } });
  for (const by of ["end_user", "metadata.team"])
    expect(await shown.usage.chart({ period: "24h", by })).toMatchObject({ labels: ["team"] });
  const { data: files } = await shown.files.list({});
  const { pathname, search } = new URL(files[0]!.url);
  expect((await callApi(host, "GET", pathname + search)).status).toBe(200);
  expect(await actionsOf(viewed.account)).toMatchObject([
    { action: "view.start", reason: null },
    { action: "view.end" },
    { action: "view.start", reason: "Ticket 7" },
  ]);
});

test("opens no REST route of the cookie, and does not outlive the role", async () => {
  const [operator, viewed] = [await newOperator(), await newViewed()];
  await (await operator.console()).admin.views.start({ account: viewed.account, reason: "Ticket 7" });
  const headers = { cookie: operator.cookie, "x-requested-with": "XMLHttpRequest" };
  for (const [method, path] of [
    ["GET", "/api/v1/hub/keys"],
    ["POST", "/api/v1/hub/keys"],
    ["GET", `/api/v1/hub/files/${viewed.file}`],
    ["POST", "/api/v1/hub/files"],
  ] as const)
    expect((await callApi(host, method, path, { headers })).status).toBe(403);
  await setHubRole(hub, testOperator, operator.email, null);
  expect((await operator.resolve())!.account.id).toBe(operator.account);
  await expect(
    (await operator.console()).admin.views.start({ account: viewed.account, reason: null }),
  ).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("reading through it writes nothing, and signing out ends it", async () => {
  const [operator, viewed] = [await newOperator(), await newViewed()];
  await (await operator.console()).admin.views.start({ account: viewed.account, reason: "Ticket 7" });
  hub.clock.advance(2 * MINUTE_MS);
  const takeStatements = recordStatements(hub);
  const console = await operator.console();
  await Promise.all([
    console.account.get(),
    console.overview.summary(),
    console.overview.spend({ days: 7 }),
    console.balance.statement({}),
    console.balance.holds(),
    console.generations.list({}),
    console.generations.get({ id: viewed.generation }),
    console.files.list({}),
    console.characters.list({}),
    console.keys.list(),
    console.webhooks.list(),
    console.requests.list({}),
    console.workers.list(),
    console.models.list(),
    console.sessions.list(),
  ]);
  const statements = takeStatements();
  expect(statements.length).toBeGreaterThan(15);
  expect(statements.filter((text) => /\b(INSERT|UPDATE|DELETE|nextval)\b/i.test(text))).toEqual([]);
  await signOut(hub, operator.sessionId);
  await endStaleViews(hub, 10);
  expect((await actionsOf(viewed.account)).map(({ action }) => action)).toEqual(["view.start", "view.end"]);
});
