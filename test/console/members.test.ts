import { expect, test } from "vitest";
import { contextOf, type Role } from "../../server/context";
import { runAudit } from "../../server/domain/audit/audit";
import { findKey } from "../../server/domain/credentials/authenticate";
import { createKey } from "../../server/domain/keys/create";
import { exchangeCode } from "../../server/domain/connections/exchange-code";
import { requestPersonErasure } from "../../server/domain/closures/erase-person";
import { findKeyAccount, rotateKeyByOperator } from "../../server/domain/operator-keys/key-verbs";
import { recordPayment } from "../../server/domain/payment-records/record-payment";
import { setPassword } from "../../server/domain/passwords/change-password";
import { findInvitation } from "../../server/domain/members/accept-invitation";
import { addMember, getPerson, updateRole } from "../../server/domain/people/person";
import { resolveSession } from "../../server/domain/sessions/resolve-session";
import { signIn } from "../../server/domain/sessions/sign-in";
import { beginSession } from "../../server/domain/sessions/session";
import { signUp } from "../../server/domain/signup/sign-up";
import { createCallerFactory } from "../../server/trpc/procedure";
import { root } from "../../server/trpc/root";
import { createEndpoint } from "../../server/domain/endpoints/create";
import { createAccount } from "../../server/domain/people/create-account";
import { testHub } from "../hub";
import { openMailServer } from "../mail-server";
import { allowApp } from "../mcp/connect-app";
import { testOperator } from "../operator";
import { soakCount } from "../soak";
import { openReceiver } from "../webhooks/receiver";

const mail = await openMailServer();
const receiver = await openReceiver();
const hub = await testHub({
  OUTBOUND_ALLOW_HOSTS: receiver.host,
  SMTP_URL: mail.url,
  BASE_URL: "https://hub.example",
  RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "1000",
  RATE_LIMIT_WRITES_PER_MINUTE: "10000",
  RATE_LIMIT_KEYS_PER_MINUTE: "10000",
});
const callerOf = createCallerFactory(root);
const signedOut = callerOf({ hub, session: null, address: null });
const password = "correct horse";
let count = 0;
const newEmail = () => `member-${(count += 1)}@example.org`;

/** Somebody with an account of their own and a session, which is resolved anew for each call. */
async function newPerson(email = newEmail(), verified = true) {
  const account = await createAccount(hub, { email, verified });
  return openSession(email, account);
}

async function openSession(email: string, account: number) {
  const person = await getPerson(hub, email);
  const sessionId = (await beginSession(hub, person, "Test"))!;
  const resolve = () => {
    const seconds = Math.floor(hub.now().getTime() / 1000);
    return resolveSession(hub, { sessionId, began: seconds, seen: seconds });
  };
  const console = async () => {
    const session = await resolve();
    const ctx = session && contextOf(hub, session.account, session.actor, "test");
    return callerOf({ hub, session: ctx, address: null, isFromOwnPage: true });
  };
  return { email, account, id: person.id, sessionId, resolve, console };
}
type Somebody = Awaited<ReturnType<typeof newPerson>>;

const tokenOf = (text: string) => /https:\/\/hub\.example\/invitation\?token=([\w-]{43})/.exec(text)![1]!;
/** Invites somebody, and returns the token of the mailed link. */
async function invite(owner: Somebody, email: string, role: Role = "developer") {
  await (await owner.console()).members.invite({ email, role });
  const { to, text } = mail.received.at(-1)!;
  expect(to).toEqual([email]);
  return tokenOf(text);
}
/** Returns the token of a link that makes whoever opens it an owner. */
const createLink = async (maker: Somebody) =>
  tokenOf((await (await maker.console()).members.createLink({ role: "owner" })).link);
/** Adds a member directly. */
async function join(owner: Somebody, role: Role) {
  const member = await newPerson();
  await addMember(hub.db, owner.account, member.id, role, hub.now());
  await (await member.console()).account.switch({ account: owner.account });
  return member;
}
const isUsed = { message: expect.stringContaining("ask for a new one") as string };
const conflict = { code: "CONFLICT" };

test("somebody new accepts with a password, once, and acts for the account in their role", async () => {
  const owner = await newPerson();
  const email = newEmail();
  const token = await invite(owner, email, "viewer");
  expect(JSON.stringify(await hub.db.query("SELECT encode(hash, 'base64'), * FROM invitation"))).not.toContain(token);
  const answers = await Promise.allSettled([1, 2, 3].map(() => signedOut.access.acceptInvitation({ token, password })));
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(signedOut.access.acceptInvitation({ token, password })).rejects.toMatchObject(isUsed);
  expect(await signIn(hub, { email, password }, null)).toMatchObject({ email });
  const member = await openSession(email, owner.account);
  expect(await (await member.console()).account.get()).toMatchObject({
    email: owner.email,
    permissions: ["self", "read"],
    balance: null,
    person: { email, is_verified: true },
  });
  expect((await (await owner.console()).members.list()).members).toMatchObject([
    { email: owner.email, role: "owner", is_you: true },
    { email, role: "viewer", is_you: false },
  ]);
});

test("a person with a verified address accepts while signed in, and nobody else with their link", async () => {
  const [owner, guest, stranger] = [await newPerson(), await newPerson(), await newPerson()];
  const token = await invite(owner, guest.email);
  for (const caller of [signedOut, await stranger.console()])
    await expect(caller.access.acceptInvitation({ token, password })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  await (await guest.console()).access.acceptInvitation({ token });
  const { account } = await guest.console();
  expect(await account.list()).toMatchObject([
    { email: owner.email, role: "developer", is_current: false },
    { email: guest.email, role: "owner", is_current: true },
  ]);
  await account.switch({ account: owner.account });
  expect((await guest.resolve())!.account.id).toBe(owner.account);
  await expect(account.switch({ account: stranger.account })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("somebody who was removed from their only account accepts the next invitation with a password", async () => {
  const owner = await newPerson();
  const email = newEmail();
  await signedOut.access.acceptInvitation({ token: await invite(owner, email), password });
  const { id } = await getPerson(hub, email);
  await (await owner.console()).members.remove({ person: id, kept_keys: [] });
  expect(await signIn(hub, { email, password }, null)).toBeNull();
  const token = await invite(owner, email, "viewer");
  expect(await findInvitation(hub, token, null)).toMatchObject({ signsIn: false });
  await signedOut.access.acceptInvitation({ token, password: "another horse" });
  expect(await signIn(hub, { email, password: "another horse" }, null)).toMatchObject({ email, id });
});

test("accepting ends the access of whoever signed up with the address before", async () => {
  const owner = await newPerson();
  const email = newEmail();
  await signUp(hub, { email, password: "the squatter's" }, null);
  const person = await getPerson(hub, email);
  const [own] = await hub.db.query<{ id: number }>("SELECT account_id AS id FROM membership WHERE person_id = $1", [
    person.id,
  ]);
  const squatter = await openSession(email, own!.id);
  const { key } = await createKey(hub, own!.id, { name: "squatter" });
  await hub.db.query("INSERT INTO identity (provider, subject, person_id, created_at) VALUES ('oidc', $1, $2, now())", [
    email,
    person.id,
  ]);
  const token = await invite(owner, email, "billing");
  // Being signed in proves nothing: the address was never verified.
  await expect((await squatter.console()).access.acceptInvitation({ token })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  await signedOut.access.acceptInvitation({ token, password });
  expect(await squatter.resolve()).toBeNull();
  expect(await signIn(hub, { email, password: "the squatter's" }, null)).toBeNull();
  expect(await signIn(hub, { email, password }, null)).not.toBeNull();
  expect(await findKey(hub, key)).toMatchObject({ rejection: "revoked" });
  expect(await hub.db.query("SELECT FROM identity WHERE person_id = $1", [person.id])).toEqual([]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});

test("a link ends with its expiry, its withdrawal and the next one", async () => {
  const owner = await newPerson();
  const email = newEmail();
  const first = await invite(owner, email);
  const { members } = await owner.console();
  const [{ id } = { id: "" }] = (await members.list()).invitations;
  await expect(members.resend({ id })).rejects.toMatchObject({ code: "TOO_MANY_REQUESTS" });
  await expect(members.invite({ email, role: "viewer" })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  hub.clock.advance(61_000);
  await members.resend({ id });
  const second = tokenOf(mail.received.at(-1)!.text);
  await expect(signedOut.access.acceptInvitation({ token: first, password })).rejects.toMatchObject(isUsed);
  hub.clock.advance(7 * 86_400_000);
  await expect(signedOut.access.acceptInvitation({ token: second, password })).rejects.toMatchObject(isUsed);
  await members.resend({ id });
  const third = tokenOf(mail.received.at(-1)!.text);
  const stranger = await newPerson();
  for (const wrong of [stranger, owner].map(({ console }) => console))
    await expect((await wrong()).members.withdraw({ id: wrong === owner.console ? "x" : id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  await members.withdraw({ id });
  await expect(signedOut.access.acceptInvitation({ token: third, password })).rejects.toMatchObject(isUsed);
});

test("an unverified person invites nobody, and a member is not invited again", async () => {
  const unproven = await newPerson(newEmail(), false);
  const before = mail.received.length;
  const invited = { email: newEmail(), role: "viewer" as const };
  await expect((await unproven.console()).members.invite(invited)).rejects.toMatchObject(conflict);
  const owner = await newPerson();
  const member = await join(owner, "viewer");
  await expect((await owner.console()).members.invite({ email: member.email, role: "owner" })).rejects.toMatchObject({
    code: "BAD_REQUEST",
  });
  expect(mail.received.length).toBe(before);
});

test("the last owner stays, also when two leave at once", async () => {
  const owner = await newPerson();
  await expect((await owner.console()).members.leave()).rejects.toMatchObject(conflict);
  await expect((await owner.console()).members.changeRole({ person: owner.id, role: "viewer" })).rejects.toMatchObject(
    conflict,
  );
  for (let round = 0; round < 5; round += 1) {
    const [one, other] = [await join(owner, "owner"), await join(owner, "owner")];
    const callers = await Promise.all([owner, one, other].map(({ console }) => console()));
    const results = await Promise.allSettled([
      callers[0]!.members.remove({ person: one.id, kept_keys: [] }),
      callers[1]!.members.changeRole({ person: other.id, role: "viewer" }),
      callers[2]!.members.leave(),
      callers[1]!.members.changeRole({ person: owner.id, role: "owner" }),
    ]);
    expect(results[3].status).toBe("fulfilled");
    const owners = await hub.db.query("SELECT FROM membership WHERE account_id = $1 AND role = 'owner'", [
      owner.account,
    ]);
    expect(owners.length).toBeGreaterThan(0);
    const remaining = await (await owner.console()).members.list();
    for (const { id, is_you } of remaining.members)
      if (!is_you) await (await owner.console()).members.remove({ person: id, kept_keys: [] });
  }
});

test("removing a member ends their sessions for the account and revokes the keys that are not kept", async () => {
  const owner = await newPerson();
  const member = await join(owner, "developer");
  const console = await member.console();
  const [revoked, kept] = [await console.keys.create({ name: "a" }), await console.keys.create({ name: "b" })];
  const ownersKey = await (await owner.console()).keys.create({ name: "c" });
  const { members } = await owner.console();
  expect((await members.keys({ person: member.id })).map(({ name }) => name)).toEqual(["b", "a"]);
  const stranger = await newPerson();
  await expect((await stranger.console()).members.remove({ person: member.id, kept_keys: [] })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  await members.remove({ person: member.id, kept_keys: [kept.id] });
  expect(await member.resolve()).toBeNull();
  expect(await findKey(hub, revoked.key)).toMatchObject({ rejection: "revoked" });
  expect(await findKey(hub, kept.key)).toMatchObject({ rejection: null });
  expect(await findKey(hub, ownersKey.key)).toMatchObject({ rejection: null });
});

test("what a member creates while being removed does not survive", async () => {
  const owner = await newPerson();
  for (let round = 0; round < soakCount(10, 200); round += 1) {
    const member = await join(owner, "developer");
    const [created, removed] = await Promise.allSettled([
      (await member.console()).keys.create({ name: "late" }),
      (await owner.console()).members.remove({ person: member.id, kept_keys: [] }),
    ]);
    expect(removed).toMatchObject({ status: "fulfilled" });
    if (created.status === "fulfilled")
      expect(await findKey(hub, created.value.key)).toMatchObject({ rejection: "revoked" });
  }
});

test("an invitation ends when its maker is removed, leaves, or may no longer manage members", async () => {
  const owner = await newPerson();
  const { members } = await owner.console();
  const ends: [string, (maker: Somebody) => Promise<unknown>][] = [
    ["the removal", ({ id }) => members.remove({ person: id, kept_keys: [] })],
    ["leaving", async (maker) => (await maker.console()).members.leave()],
    ["the role developer", ({ id }) => members.changeRole({ person: id, role: "developer" })],
    ["the role viewer", ({ id }) => members.changeRole({ person: id, role: "viewer" })],
    ["the erasure", ({ email }) => requestPersonErasure(hub, testOperator, { email })],
  ];
  const kept = await createLink(owner);
  for (const [name, end] of ends) {
    const email = newEmail();
    await signedOut.access.acceptInvitation({ token: await invite(owner, email, "owner"), password });
    const maker = await openSession(email, owner.account);
    const tokens = [await createLink(maker), await invite(maker, newEmail(), "owner")];
    await end(maker);
    for (const token of tokens)
      await expect(
        signedOut.access.acceptInvitation({ token, email: newEmail(), password }),
        name,
      ).rejects.toMatchObject(isUsed);
  }
  await signedOut.access.acceptInvitation({ token: kept, email: newEmail(), password });
});

test("what an owner invites while being removed or losing the role does not survive", async () => {
  const owner = await newPerson();
  const { members } = await owner.console();
  for (let round = 0; round < soakCount(10, 200); round += 1) {
    const maker = await join(owner, "owner");
    const console = await maker.console();
    const [created, ended] = await Promise.allSettled([
      console.members.createLink({ role: "owner" }),
      round % 2 === 0
        ? members.remove({ person: maker.id, kept_keys: [] })
        : members.changeRole({ person: maker.id, role: "developer" }),
    ]);
    expect(ended).toMatchObject({ status: "fulfilled" });
    if (created.status === "fulfilled")
      await expect(
        signedOut.access.acceptInvitation({ token: tokenOf(created.value.link), email: newEmail(), password }),
      ).rejects.toMatchObject(isUsed);
    // The request began before, and looks at the session again only when it creates something.
    await expect(console.members.createLink({ role: "owner" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(console.members.invite({ email: newEmail(), role: "owner" })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
  }
});

test("the contact address is a member's verified address", async () => {
  const owner = await newPerson();
  const [member, unproven] = [await join(owner, "viewer"), await newPerson(newEmail(), false)];
  const { members } = await owner.console();
  await expect(members.changeContact({ person: member.id })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  await expect(members.changeContact({ person: unproven.id })).rejects.toMatchObject({ code: "BAD_REQUEST" });
  const email = newEmail();
  const token = await invite(owner, email);
  await signedOut.access.acceptInvitation({ token, password });
  await members.changeContact({ person: (await getPerson(hub, email)).id });
  expect((await owner.resolve())!.account.email).toBe(email);
});

const forbidden = { code: "FORBIDDEN" };
const rejected = { code: "unauthorized", status: 403 };
const moneyWebhook = { url: receiver.url, events: ["payment.succeeded" as const] };

/** Creates a webhook for events of payments by an API key. */
async function createBy(secret: string) {
  const { account, actor } = (await findKey(hub, secret))!;
  return createEndpoint(contextOf(hub, account, actor, "test"), moneyWebhook);
}

test("a developer cannot add a webhook for events of payments, in the console or by a key", async () => {
  const owner = await newPerson();
  const developer = await join(owner, "developer");
  const { webhooks, keys } = await developer.console();
  await expect(webhooks.create(moneyWebhook)).rejects.toMatchObject(forbidden);
  const [own, owners] = [await keys.create({ name: "a" }), await (await owner.console()).keys.create({ name: "b" })];
  await expect(createBy(own.key)).rejects.toMatchObject(rejected);
  await createBy(owners.key);
  await createBy((await createKey(hub, owner.account, { name: "the operator's" })).key);
  const { members } = await owner.console();
  await members.changeRole({ person: developer.id, role: "owner" });
  await createBy(own.key);
  await members.remove({ person: developer.id, kept_keys: [own.id] });
  await expect(createBy(own.key)).rejects.toMatchObject(rejected);
});

test("a key belongs to whoever rotated it: it sees what they may see, and ends with them", async () => {
  const owner = await newPerson();
  const developer = await join(owner, "developer");
  const { members, keys } = await owner.console();
  const { id } = await keys.create({ name: "server" });
  const { key } = await (await developer.console()).keys.rotate({ id, grace_hours: 0 });
  await expect(createBy(key)).rejects.toMatchObject(rejected);
  expect(await members.keys({ person: developer.id })).toMatchObject([{ name: "server" }]);
  expect(await members.keys({ person: owner.id })).toEqual([]);
  await members.remove({ person: developer.id, kept_keys: [] });
  expect(await findKey(hub, key)).toMatchObject({ rejection: "revoked" });
});

test("an old secret in its grace period ends with the person whose it was, and allows no more than they may", async () => {
  const owner = await newPerson();
  const developer = await join(owner, "developer");
  const { members, keys } = await owner.console();
  const old = await (await developer.console()).keys.create({ name: "server" });
  const { key } = await keys.rotate({ id: old.id, grace_hours: 24 });
  await expect(createBy(old.key)).rejects.toMatchObject(rejected);
  await members.remove({ person: developer.id, kept_keys: [] });
  expect(await findKey(hub, old.key)).toMatchObject({ rejection: "replaced" });
  expect(await findKey(hub, key)).toMatchObject({ rejection: null });
  await createBy(key);
  const own = await keys.rotate({ id: old.id, grace_hours: 24 });
  const other = await join(owner, "owner");
  await (await other.console()).members.remove({ person: owner.id, kept_keys: [old.id] });
  for (const secret of [key, own.key]) expect(await findKey(hub, secret)).toMatchObject({ rejection: null });
});

test("an old secret does not survive the removal of its person while somebody rotates the key", async () => {
  const owner = await newPerson();
  const { members, keys } = await owner.console();
  for (let round = 0; round < soakCount(10, 200); round += 1) {
    const developer = await join(owner, "developer");
    const { id, key } = await (await developer.console()).keys.create({ name: "server" });
    const [, removed] = await Promise.allSettled([
      keys.rotate({ id, grace_hours: 24 }),
      members.remove({ person: developer.id, kept_keys: [] }),
    ]);
    expect(removed).toMatchObject({ status: "fulfilled" });
    expect((await findKey(hub, key))!.rejection).not.toBeNull();
  }
});

test("a key that an operator rotates stays its person's", async () => {
  const owner = await newPerson();
  const developer = await join(owner, "developer");
  const { id } = await (await developer.console()).keys.create({ name: "server" });
  const ctx = contextOf(hub, await findKeyAccount(hub, id), { kind: "user" }, "test");
  const { key } = await rotateKeyByOperator(ctx, testOperator, id, 0);
  await expect(createBy(key)).rejects.toMatchObject(rejected);
  await (await owner.console()).members.remove({ person: developer.id, kept_keys: [] });
  expect(await findKey(hub, key)).toMatchObject({ rejection: "revoked" });
});

test("amounts in the body of a delivery are shown to whoever may see the account's money", async () => {
  const owner = await newPerson();
  const [viewer, developer] = [await join(owner, "viewer"), await join(owner, "developer")];
  const { webhooks } = await owner.console();
  const events = ["payment.succeeded" as const, "generation.completed" as const];
  const { id } = await webhooks.create({ url: receiver.url, events });
  await recordPayment(hub, testOperator, {
    accountId: owner.account,
    amount: 1234,
    tax: 0,
    reference: "bank-1",
    note: null,
    reason: "test",
  });
  const [delivery] = (await webhooks.deliveries({ id })).data;
  expect((await webhooks.request({ id: delivery!.id })).body).toContain("12.34");
  for (const member of [viewer, developer])
    await expect((await member.console()).webhooks.request({ id: delivery!.id })).rejects.toMatchObject(forbidden);
  const test = await webhooks.sendTest({ id });
  await (await viewer.console()).webhooks.request({ id: test.id });
});

test("a code is not exchanged once its person signed out everywhere, changed the password or lost the role", async () => {
  const owner = await newPerson();
  const { members } = await owner.console();
  const ends: [string, (member: Somebody) => Promise<unknown>][] = [
    ["sign-out everywhere", async (member) => (await member.console()).sessions.endAll()],
    ["a new password", ({ email }) => setPassword(hub, testOperator, email, "a new password")],
    ["the role viewer", ({ id }) => members.changeRole({ person: id, role: "viewer" })],
    ["the removal", ({ id }) => members.remove({ person: id, kept_keys: [] })],
  ];
  for (const [name, end] of ends) {
    const member = await join(owner, "developer");
    const code = await allowCode(member);
    await end(member);
    await expect(exchangeCode(hub, code), name).rejects.toMatchObject({ code: "invalid_grant" });
  }
  // The role is checked by the exchange itself, so also after a change that deletes no code.
  const member = await join(owner, "developer");
  const code = await allowCode(member);
  await updateRole(hub.db, owner.account, member.id, "viewer");
  await expect(exchangeCode(hub, code)).rejects.toMatchObject({ code: "invalid_grant" });
  await updateRole(hub.db, owner.account, member.id, "developer");
  await exchangeCode(hub, code);
});

async function allowCode(member: Somebody) {
  const session = (await member.resolve())!;
  return allowApp(hub, contextOf(hub, session.account, session.actor, "test"));
}

test("a role without keys revokes those that the member made, also while they are made", async () => {
  const owner = await newPerson();
  const { members, keys: ownersKeys } = await owner.console();
  const owners = await ownersKeys.create({ name: "owner's" });
  for (let round = 0; round < soakCount(3, 200); round += 1) {
    const member = await join(owner, "developer");
    const console = await member.console();
    const early = await console.keys.create({ name: "early" });
    const app = await exchangeCode(hub, await allowCode(member));
    const late = await allowCode(member);
    const [created, exchanged, changed] = await Promise.allSettled([
      console.keys.create({ name: "late" }),
      exchangeCode(hub, late),
      members.changeRole({ person: member.id, role: round % 2 === 0 ? "viewer" : "billing" }),
    ]);
    expect(changed).toMatchObject({ status: "fulfilled" });
    const secrets = [early.key, app.secret];
    if (created.status === "fulfilled") secrets.push(created.value.key);
    if (exchanged.status === "fulfilled") secrets.push(exchanged.value.secret);
    for (const secret of secrets) expect(await findKey(hub, secret)).toMatchObject({ rejection: "revoked" });
    await expect(exchangeCode(hub, late)).rejects.toMatchObject({ code: "invalid_grant" });
    await expect(console.keys.create({ name: "later" })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  }
  expect(await findKey(hub, owners.key)).toMatchObject({ rejection: null });
  const member = await join(owner, "owner");
  const kept = await (await member.console()).keys.create({ name: "kept" });
  await members.changeRole({ person: member.id, role: "developer" });
  expect(await findKey(hub, kept.key)).toMatchObject({ rejection: null });
});

test("one address receives five invitations an hour at most, whoever sends them", async () => {
  const [owner, other] = [await newPerson(), await newPerson()];
  const email = newEmail();
  const before = mail.received.length;
  for (let round = 0; round < 3; round += 1) {
    const { members } = await owner.console();
    await members.invite({ email, role: "viewer" });
    await members.withdraw({ id: (await members.list()).invitations[0]!.id });
  }
  const { members } = await other.console();
  await members.invite({ email: email.toUpperCase(), role: "viewer" });
  hub.clock.advance(61_000);
  await members.resend({ id: (await members.list()).invitations[0]!.id });
  const limited = { code: "TOO_MANY_REQUESTS" };
  await expect((await owner.console()).members.invite({ email, role: "viewer" })).rejects.toMatchObject(limited);
  hub.clock.advance(61_000);
  await expect(members.resend({ id: (await members.list()).invitations[0]!.id })).rejects.toMatchObject(limited);
  expect(mail.received.length - before).toBe(5);
  expect((await (await owner.console()).members.list()).invitations).toEqual([]);
  await (await owner.console()).members.invite({ email: newEmail(), role: "viewer" });
});
