import { expect, test } from "vitest";
import { contextOf, type Role } from "../../server/context";
import { createKey } from "../../server/domain/keys/create";
import { findKey } from "../../server/domain/credentials/authenticate";
import { hashToken } from "../../server/domain/passwords/request-reset";
import { createAccount } from "../../server/domain/people/create-account";
import { getPerson } from "../../server/domain/people/person";
import { findInvitation } from "../../server/domain/members/accept-invitation";
import { resetPassword } from "../../server/domain/recovery/reset-password";
import { resolveSession } from "../../server/domain/sessions/resolve-session";
import { beginSession } from "../../server/domain/sessions/session";
import { signIn } from "../../server/domain/sessions/sign-in";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { testHub } from "../hub";

const hub = await testHub({ BASE_URL: "https://hub.example", RATE_LIMIT_KEYS_PER_MINUTE: "10000" });
const callerOf = createCallerFactory(root);
const signedOut = callerOf({ hub, session: null, address: null });
const password = "correct horse";
let count = 0;
const newEmail = () => `person-${(count += 1)}@example.org`;

/** Opens a session of a person, which acts for the account that they own or used last. */
async function openConsole(email: string) {
  const person = await getPerson(hub, email);
  const sessionId = (await beginSession(hub, person, "Test"))!;
  const seconds = Math.floor(hub.now().getTime() / 1000);
  const { account, actor } = (await resolveSession(hub, { sessionId, began: seconds, seen: seconds }))!;
  const session = contextOf(hub, account, actor, "test");
  return { accountId: account.id, console: callerOf({ hub, session, address: null, isFromOwnPage: true }) };
}

/** Creates an account of a person who signed up with an address that nobody verified. */
async function newOwner() {
  const email = newEmail();
  const account = await createAccount(hub, { email });
  return { email, account, console: (await openConsole(email)).console };
}

type Owner = Awaited<ReturnType<typeof newOwner>>;

async function newToken({ console }: Owner, role: Role = "developer"): Promise<string> {
  const { link } = await console.members.createLink({ role });
  return /^https:\/\/hub\.example\/invitation\?token=([\w-]{43})$/.exec(link)![1]!;
}

const listEmails = async ({ console }: Owner) => (await console.members.list()).members.map(({ email }) => email);
const isUsed = { message: expect.stringContaining("ask for a new one") as string };
const badRequest = { code: "BAD_REQUEST" };

test("of many people who open a link, one joins with a new password, and the hub stores only its hash", async () => {
  const owner = await newOwner();
  await owner.console.account.setName({ name: "  Studio Nord " });
  const token = await newToken(owner, "viewer");
  expect(JSON.stringify(await hub.db.query("SELECT encode(hash, 'base64'), * FROM invitation"))).not.toContain(token);
  expect(await findInvitation(hub, token, null)).toMatchObject({ account: "Studio Nord", email: null, role: "viewer" });
  const emails = Array.from({ length: 5 }, newEmail);
  const joins = await Promise.allSettled(
    emails.map((email) => signedOut.access.acceptInvitation({ token, email, password })),
  );
  expect(joins.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const joined = emails[joins.findIndex(({ status }) => status === "fulfilled")]!;
  expect(await listEmails(owner)).toEqual([owner.email, joined]);
  expect(await hub.db.query("SELECT email FROM person WHERE email = ANY ($1)", [emails])).toEqual([{ email: joined }]);
  expect(await signIn(hub, { email: joined, password }, null)).not.toBeNull();
  const { account } = (await openConsole(joined)).console;
  expect(await account.get()).toMatchObject({ name: "Studio Nord", permissions: ["self", "read"] });
  expect(await account.list()).toMatchObject([{ name: "Studio Nord", role: "viewer" }]);
});

test("somebody who is signed in joins by a click, and a member does not use the link up", async () => {
  const [owner, guest] = [await newOwner(), await newOwner()];
  const token = await newToken(owner);
  await expect(owner.console.access.acceptInvitation({ token })).rejects.toMatchObject(badRequest);
  await guest.console.access.acceptInvitation({ token });
  expect(await listEmails(owner)).toEqual([owner.email, guest.email]);
  await expect(guest.console.access.acceptInvitation({ token })).rejects.toMatchObject(isUsed);
});

test("a removed person joins again with their password, and nobody with a wrong one", async () => {
  const owner = await newOwner();
  const email = newEmail();
  await signedOut.access.acceptInvitation({ token: await newToken(owner), email, password });
  await owner.console.members.remove({ person: (await getPerson(hub, email)).id, kept_keys: [] });
  expect(await signIn(hub, { email, password }, null)).toBeNull();
  const token = await newToken(owner);
  const attempt = (given: string) =>
    signedOut.access.acceptInvitation({ token, email: email.toUpperCase(), password: given });
  await expect(attempt("wrong horse")).rejects.toMatchObject(badRequest);
  await attempt(password);
  expect(await signIn(hub, { email, password }, null)).not.toBeNull();
});

test("a link ends with its withdrawal and after seven days, is not sent, and counts as an open invitation", async () => {
  const owner = await newOwner();
  const { members } = owner.console;
  const [withdrawn, late] = [await newToken(owner), await newToken(owner)];
  const { invitations } = await members.list();
  expect(invitations).toMatchObject([
    { email: null, role: "developer", invited_by: owner.email, is_expired: false },
    { email: null },
  ]);
  await expect(members.resend({ id: invitations[1]!.id })).rejects.toMatchObject({ code: "CONFLICT" });
  const stranger = await newOwner();
  await expect(stranger.console.members.withdraw({ id: invitations[1]!.id })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await members.withdraw({ id: invitations[1]!.id });
  hub.clock.advance(7 * 86_400_000);
  for (const token of [withdrawn, late])
    await expect(signedOut.access.acceptInvitation({ token, email: newEmail(), password })).rejects.toMatchObject(
      isUsed,
    );
  const links = await Promise.allSettled(Array.from({ length: 60 }, () => members.createLink({ role: "viewer" })));
  expect(links.filter(({ status }) => status === "fulfilled")).toHaveLength(49);
});

test("while the hub sends e-mail, an unverified person makes no link", async () => {
  const mailing = await testHub({ SMTP_URL: "smtp://127.0.0.1:9" });
  const email = newEmail();
  const id = await createAccount(mailing, { email });
  const person = { id: 1, email, isVerified: false, role: "owner" as const, hubRole: null };
  const account = { id, email, member: false, balance: 0n, reserved: 0n };
  const actor = { kind: "user" as const, sessionId: "none", person, view: null, provedAt: null };
  const session = contextOf(mailing, account, actor, "test");
  const { members } = callerOf({ hub: mailing, session, address: null, isFromOwnPage: true });
  await expect(members.createLink({ role: "viewer" })).rejects.toMatchObject({ code: "CONFLICT" });
});

test("whoever proves an unverified address takes over the account, without those whom a stranger let in", async () => {
  const [squatter, team] = [await newOwner(), await newOwner()];
  const [friend, open] = [newEmail(), await newToken(squatter, "owner")];
  await signedOut.access.acceptInvitation({ token: await newToken(squatter, "owner"), email: friend, password });
  await squatter.console.access.acceptInvitation({ token: await newToken(team, "owner") });
  await squatter.console.account.switch({ account: team.account });
  const back = await newToken({ ...squatter, console: (await openConsole(squatter.email)).console }, "owner");
  await squatter.console.account.switch({ account: squatter.account });
  const { id } = await getPerson(hub, squatter.email);
  const { key } = await createKey(hub, team.account, { name: "squatter" });
  await hub.db.query("UPDATE api_key SET person_id = $1 WHERE account_id = $2", [id, team.account]);
  await hub.db.query(
    "INSERT INTO password_reset (person_id, hash, created_at, expires_at) VALUES ($1, $2, $3, $3::timestamptz + interval '1 day')",
    [id, hashToken("the mailed one"), hub.now()],
  );
  await resetPassword(hub, { token: "the mailed one", password: "mine alone" }, null);
  const mine = await openConsole(squatter.email);
  expect(mine.accountId).toBe(squatter.account);
  expect((await mine.console.members.list()).members.map(({ email }) => email)).toEqual([squatter.email]);
  expect(await signIn(hub, { email: friend, password }, null)).toBeNull();
  for (const token of [open, back])
    await expect(signedOut.access.acceptInvitation({ token, email: newEmail(), password })).rejects.toMatchObject(
      isUsed,
    );
  expect(await listEmails(team)).toEqual([team.email]);
  expect(await findKey(hub, key)).toMatchObject({ rejection: "revoked" });
});

test("a name is one short line", async () => {
  const { console: owner } = await newOwner();
  for (const name of ["", "   ", "a\nb", "a\u0000", "a\ud800", "\u202egnp.exe", "x".repeat(81)])
    await expect(owner.account.setName({ name })).rejects.toMatchObject(badRequest);
  await owner.account.setName({ name: "🎨".repeat(80) });
  await owner.account.setName({ name: null });
});
