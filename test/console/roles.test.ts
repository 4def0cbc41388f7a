import { beforeAll, expect, test } from "vitest";
import { contextOf, roles, type Role } from "../../server/context";
import { publicOperations } from "../../server/api/operations";
import { addMember, getPerson, updateRole } from "../../server/domain/people/person";
import { permissionsOf } from "../../server/domain/people/role";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { createKey } from "../../server/domain/keys/create";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { queuedGeneration } from "../generation-fixture";
import { ownerSession, sessionCookie } from "../session";

const host = await openOwnHost({ RATE_LIMIT_KEYS_PER_MINUTE: "1000000" });
const { hub } = host;
const callerOf = createCallerFactory(root);

interface Procedure {
  _def: { type: "query" | "mutation"; meta?: { access?: string; needsProof?: boolean } };
}
const procedures = Object.entries(root._def.procedures as unknown as Record<string, Procedure>);
/** Procedures that need no session. */
const open = procedures.filter(([name]) => name.startsWith("access."));
const closed = procedures.filter(([name]) => !name.startsWith("access."));

test("every procedure declares who may call it", () => {
  expect(closed.length).toBeGreaterThan(60);
  expect(closed.filter(([, { _def }]) => !_def.meta?.access).map(([name]) => name)).toEqual([]);
  expect(open.map(([name]) => name).sort()).toEqual([
    "access.acceptInvitation",
    "access.forgotPassword",
    "access.resetPassword",
    "access.signUp",
  ]);
});

/** Calls a procedure without input, and returns the code of its error: wrong input means that the role was accepted. */
async function codeOf(name: string, role: Role | null, hubRole: "operator" | "auditor" | null): Promise<string> {
  const person = { ...session.actor.person, role: role ?? "owner", hubRole };
  const ctx = role && contextOf(hub, session.account, { ...session.actor, person }, "test");
  const caller = callerOf({ hub, session: ctx, address: null }) as unknown as Record<string, never>;
  const call = name.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], caller);
  return (call as (input?: unknown) => Promise<unknown>)(invalid).then(
    () => "OK",
    (error: { code: string }) => error.code,
  );
}
/** An input that no procedure accepts, so that nothing changes. */
const invalid = Symbol("no input");
const customer = await newCustomer(hub);
const session = await ownerSession(hub, customer.account);

/** Mutations without input, which would run. */
const withoutInput = new Set([
  "members.leave",
  "sessions.endAll",
  "overview.hideSteps",
  "account.sendVerification",
  "views.stop",
]);

test.each([...roles])("the role %s may call what its permissions say, and nothing else", async (role) => {
  const allowed = permissionsOf({
    kind: "user",
    person: { ...session.actor.person, role },
  });
  for (const [name, { _def }] of closed) {
    const access = _def.meta!.access!;
    if (withoutInput.has(name) && (allowed as readonly string[]).includes(access)) continue;
    const expected = (allowed as readonly string[]).includes(access)
      ? /^(OK|BAD_REQUEST|NOT_FOUND|CONFLICT)$/
      : ["operator", "auditor"].includes(access)
        ? /^NOT_FOUND$/
        : /^FORBIDDEN$/;
    expect(`${name} ${await codeOf(name, role, null)}`).toMatch(
      new RegExp(`^${name.replaceAll(".", "\\.")} ${expected.source.slice(1)}`),
    );
  }
});

test("the role billing reads charges without prompts, and no warnings about keys", async () => {
  const { account } = await newCustomer(hub);
  const generation = { ...queuedGeneration(account, 1_000n), input: { prompt: "a layoff letter" } };
  await insertWithHold(hub, generation);
  await markRunning(hub, { generationId: generation.id, runId: newId() });
  await finishGeneration(hub, { id: generation.id, from: ["running"], to: "succeeded" });
  await createKey(hub, account, { name: "server", expires_at: new Date(hub.now().getTime() + 60_000) });
  const { account: funds, actor } = await ownerSession(hub, account);
  const consoleOf = (role: Role) => {
    const person = { ...actor.person, role };
    return callerOf({ hub, session: contextOf(hub, funds, { ...actor, person }, "test"), address: null });
  };
  const charges = async (role: Role) =>
    (await consoleOf(role).balance.statement({})).data.flatMap(({ charge }) => charge ?? []);
  const warnings = async (role: Role) => (await consoleOf(role).overview.summary()).warnings.map(({ kind }) => kind);
  expect(await charges("owner")).toEqual([{ title: "a layoff letter", key_name: null }]);
  expect(await charges("billing")).toEqual([{ title: null, key_name: null }]);
  expect(await warnings("owner")).toEqual(["key_expiry"]);
  expect(await warnings("billing")).toEqual([]);
});

test("nobody calls anything without a session, and an auditor changes nothing", async () => {
  for (const [name, { _def }] of closed) {
    expect(`${name} ${await codeOf(name, null, null)}`).toBe(`${name} UNAUTHORIZED`);
    if (_def.meta!.access === "operator")
      expect(`${name} ${await codeOf(name, "owner", "auditor")}`).toBe(`${name} FORBIDDEN`);
  }
});

/** The customer whose role changes; the account has another owner. */
let member: { email: string; account: number };
let cookie: string;
beforeAll(async () => {
  const [one, other] = [await newCustomer(hub), await newCustomer(hub)];
  cookie = await sessionCookie(hub, one.account);
  await addMember(hub.db, one.account, (await getPerson(hub, other.email)).id, "owner", hub.now());
  member = one;
});

const cookieOperations = publicOperations.filter(({ auth }) =>
  ["session", "key-or-session", "read-file"].includes(auth),
);

test.each(cookieOperations.map((operation) => [operation.name, operation] as const))(
  "REST %s accepts the cookie of the roles that its access says",
  async (_name, { access, method, path }) => {
    expect(access).toBeDefined();
    const person = await getPerson(hub, member.email);
    for (const role of roles) {
      await updateRole(hub.db, member.account, person.id, role);
      const reply = await fetch(host.url + path.replace("{id}", "01890000-0000-7000-8000-000000000000"), {
        method: method.toUpperCase(),
        headers: { cookie, "x-requested-with": "XMLHttpRequest", "content-type": "text/plain" },
      });
      const isAllowed = permissionsOf({ kind: "user", person: { role } as never }).includes(access!);
      expect({ role, isForbidden: reply.status === 403 }).toEqual({ role, isForbidden: !isAllowed });
    }
  },
);

test("nothing but second factors accepts a session that still needs one", async () => {
  const pending = { hub, session: null, address: null, isFromOwnPage: true };
  const { sessionId, person } = session.actor;
  const caller = callerOf({
    ...pending,
    pending: { stage: "verify", sessionId, accountId: customer.account, person, provedAt: null },
  }) as unknown as Record<string, Record<string, (input?: unknown) => Promise<unknown>>>;
  for (const [name] of closed) {
    const call = name.split(".").reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], caller);
    const code = await (call as (input: unknown) => Promise<unknown>)(invalid).then(
      () => "OK",
      (error: { code: string }) => error.code,
    );
    const isFactor = name.startsWith("factors.") && name !== "factors.demand";
    expect(`${name} ${code}`).toMatch(isFactor ? /OK|BAD_REQUEST|CONFLICT|FORBIDDEN/ : / UNAUTHORIZED$/);
  }
});

test("REST rejects the cookie of a session that still needs a second factor", async () => {
  const { account } = await newCustomer(hub);
  const cookie = await sessionCookie(hub, account);
  await hub.db.prisma.account.update({ where: { id: account }, data: { requiresSecondFactor: true } });
  for (const { method, path } of cookieOperations) {
    const reply = await fetch(host.url + path.replace("{id}", "01890000-0000-7000-8000-000000000000"), {
      method: method.toUpperCase(),
      headers: { cookie, "x-requested-with": "XMLHttpRequest", "content-type": "text/plain" },
    });
    expect(`${method} ${path} ${reply.status}`).toBe(`${method} ${path} 401`);
  }
});

test("an auditor calls no mutation but to begin and end a view, and every change by an operator needs a proof", () => {
  const mutations = procedures.filter(([, { _def }]) => _def.type === "mutation");
  const named = (access: string) => mutations.filter(([, { _def }]) => _def.meta?.access === access);
  expect(named("auditor").map(([name]) => name)).toEqual(["admin.views.start", "views.stop"]);
  expect(named("operator").length).toBeGreaterThan(10);
  const unproved = named("operator").filter(([, { _def }]) => !_def.meta?.needsProof);
  expect(unproved.map(([name]) => name)).toEqual(["admin.books.check", "admin.catalogue.check"]);
});

test("changing factors, crediting and viewing need a proof of the last ten minutes", async () => {
  const { account, actor } = session;
  const of = (provedAt: Date | null) =>
    callerOf({ hub, session: contextOf(hub, account, { ...actor, person, provedAt }, "test"), address: null });
  const person = { ...actor.person, hubRole: "operator" as const };
  const sensitive = procedures.filter(([, { _def }]) => _def.meta?.needsProof).map(([name]) => name);
  expect(sensitive).toEqual(
    expect.arrayContaining([
      "factors.addPasskey",
      "factors.removeTotp",
      "factors.demand",
      "admin.accounts.credit",
      "admin.accounts.suspend",
      "admin.books.applyDraft",
      "admin.catalogue.applyDraft",
      "admin.providers.check",
      "admin.workers.createToken",
      "admin.views.start",
    ]),
  );
  for (const provedAt of [null, new Date(hub.now().getTime() - 601_000)])
    for (const name of sensitive) {
      const call = name
        .split(".")
        .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], of(provedAt)) as (
        input: unknown,
      ) => Promise<unknown>;
      await expect(call(invalid), name).rejects.toMatchObject({
        code: "FORBIDDEN",
        cause: { extras: { needsProof: true } },
      });
    }
  await of(hub.now()).factors.startTotp();
});
