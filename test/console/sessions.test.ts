import { expect, test } from "vitest";
import { contextOf } from "@/server/context";
import { suspendAccount } from "@/server/domain/accounts/account";
import { signOutEverywhere } from "@/server/domain/people/person";
import { MAX_SESSIONS, endSession, signOut, listSessions, purgeSessions } from "@/server/domain/sessions/session";
import { MAX_IDLE_S, MAX_SESSION_S, resolveSession } from "@/server/domain/sessions/resolve-session";
import { newId } from "@/server/lib/id";
import { newCustomer } from "../api/customer";
import { recordStatements } from "../record-statements";
import { testHub } from "../hub";
import { newSession } from "../session";
import { testOperator } from "../operator";

const hub = await testHub();
const seconds = () => Math.floor(hub.now().getTime() / 1000);
const claimsOf = (sessionId: string) => ({ sessionId, began: seconds(), seen: seconds() });
const isOpen = async (sessionId: string) => (await resolveSession(hub, claimsOf(sessionId))) !== null;

async function createUser(browser = "Firefox on Linux") {
  const { account, email } = await newCustomer(hub);
  const sessionId = await newSession(hub, account, browser);
  const { account: own, actor } = (await resolveSession(hub, claimsOf(sessionId)))!;
  return { account, email, sessionId, ctx: contextOf(hub, own, actor, "test") };
}
const lastSeen = async (id: string) =>
  (await hub.db.query<{ at: Date }>("SELECT last_seen_at AS at FROM session WHERE id = $1", [id]))[0]?.at.getTime();

test("signing out ends only that session", async () => {
  const { account, sessionId } = await createUser();
  const other = await newSession(hub, account);
  await signOut(hub, sessionId);
  expect([await isOpen(sessionId), await isOpen(other)]).toEqual([false, true]);
  // Ending a session twice, or an unknown one, is not an error.
  await signOut(hub, sessionId);
  await signOut(hub, newId());
});

test("every way to end all sessions ends them permanently", async () => {
  const waysToEnd: Record<string, (user: Awaited<ReturnType<typeof createUser>>) => Promise<void>> = {
    "sign out everywhere": ({ ctx }) => signOutEverywhere(hub, ctx.actor.person.id),
    async "suspend and resume"({ account }) {
      await suspendAccount(hub, testOperator, { id: account, suspended: true });
      await suspendAccount(hub, testOperator, { id: account, suspended: false });
    },
  };
  for (const [endAll, end] of Object.entries(waysToEnd)) {
    const user = await createUser();
    const { account, sessionId, ctx } = user;
    await end(user);
    const next = await newSession(hub, account);
    expect({ way: endAll, old: await isOpen(sessionId), new: await isOpen(next) }).toEqual({
      way: endAll,
      old: false,
      new: true,
    });
    expect((await listSessions(ctx)).map(({ id }) => id)).toEqual([next]);
  }
});

test("lists the account's open sessions, the caller's first", async () => {
  const { account, sessionId, ctx } = await createUser();
  hub.clock.advance(1_000);
  const later = await newSession(hub, account, "Safari on iPhone");
  await createUser();
  expect(await listSessions(ctx)).toMatchObject([
    { id: sessionId, browser: "Firefox on Linux", is_current: true },
    { id: later, browser: "Safari on iPhone", is_current: false },
  ]);
  await endSession(ctx, later);
  expect(await isOpen(later)).toBe(false);
  expect(await listSessions(ctx)).toHaveLength(1);
});

test("treats another account's, an ended and an unknown session alike", async () => {
  const { account, ctx } = await createUser();
  const otherAccount = await createUser();
  const ended = await newSession(hub, account);
  await endSession(ctx, ended);
  for (const id of [otherAccount.sessionId, ended, newId(), "none"]) {
    await expect(endSession(ctx, id)).rejects.toMatchObject({ code: "resource_not_found" });
  }
  expect(await isOpen(otherAccount.sessionId)).toBe(true);
});

test("a request runs one statement, and updates the last use once a minute", async () => {
  const { sessionId } = await createUser();
  const takeStatements = recordStatements(hub);
  takeStatements();
  await isOpen(sessionId);
  expect(takeStatements()).toHaveLength(1);
  const first = await lastSeen(sessionId);
  hub.clock.advance(61_000);
  await Promise.all([isOpen(sessionId), isOpen(sessionId)]);
  await expect.poll(() => lastSeen(sessionId)).toBeGreaterThan(first! + 60_000);
  takeStatements();
  await isOpen(sessionId);
  expect(takeStatements()).toHaveLength(1);
});

test("keeps a limited number of sessions of an account: the most recently used", async () => {
  const { account, sessionId, ctx } = await createUser();
  for (let count = 0; count < MAX_SESSIONS; count += 1) {
    hub.clock.advance(1);
    await newSession(hub, account);
  }
  expect(await listSessions(ctx)).toHaveLength(MAX_SESSIONS);
  expect(await isOpen(sessionId)).toBe(false);
});

test("neither lists nor keeps expired sessions", async () => {
  const { account, ctx } = await createUser();
  hub.clock.advance((MAX_IDLE_S + 1) * 1000);
  const fresh = await newSession(hub, account);
  expect((await listSessions(ctx)).map(({ id }) => id)).toEqual([fresh]);
  hub.clock.advance((MAX_SESSION_S + 1) * 1000);
  await purgeSessions(hub, 10_000);
  expect(await hub.db.query("SELECT FROM session WHERE account_id = $1", [account])).toEqual([]);
});
