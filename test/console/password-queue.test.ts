import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import type { Role } from "../../server/context";
import { acceptInvitation } from "../../server/domain/members/accept-invitation";
import { hashToken } from "../../server/domain/passwords/request-reset";
import { getPerson } from "../../server/domain/people/person";
import { resetPassword } from "../../server/domain/recovery/reset-password";
import { signIn } from "../../server/domain/sessions/sign-in";
import { signUp } from "../../server/domain/signup/sign-up";
import { newId } from "../../server/lib/id";
import { newCustomer } from "../api/customer";
import { testHub } from "../hub";

const hub = await testHub({ RATE_LIMIT_FAILED_AUTH_PER_MINUTE: "1000" });
const customer = await newCustomer(hub);
const owner = await getPerson(hub, customer.email);
const [address, password] = ["192.0.2.1", "correct horse"];
const newToken = () => randomBytes(32).toString("base64url");
const tomorrow = new Date(hub.now().getTime() + 86_400_000);

async function newReset(): Promise<string> {
  const token = newToken();
  const text = "INSERT INTO password_reset (person_id, hash, created_at, expires_at) VALUES ($1, $2, $3, $4)";
  await hub.db.query(text, [owner.id, hashToken(token), hub.now(), tomorrow]);
  return token;
}

/** Creates an invitation for an address that is new to the hub; null creates a link. */
async function newInvitation(email: string | null): Promise<string> {
  const [token, role] = [newToken(), "viewer" satisfies Role];
  const invitation = {
    id: newId(),
    accountId: customer.account,
    email,
    role,
    hash: new Uint8Array(hashToken(token)),
    invitedBy: owner.id,
    createdAt: hub.now(),
    sentAt: hub.now(),
    expiresAt: tomorrow,
  };
  await hub.db.prisma.invitation.create({ data: invitation });
  return token;
}

/** Starts work of a network until no more of it may wait. Returns a function that ends the work, as the end of the test does. */
function fillQueue(network: string): () => void {
  let finish!: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  // Work beyond that is rejected at once.
  for (let n = 0; n < 100; n += 1) void hub.services.passwordWork.run(network, () => finished).catch(() => undefined);
  onTestFinished(finish);
  return finish;
}

test.each<[string, () => Promise<() => Promise<unknown>>]>([
  ["signing up", async () => () => signUp(hub, { email: "new@example.org", password }, address)],
  ["signing in", async () => () => signIn(hub, { email: customer.email, password }, address)],
  [
    "resetting a password",
    async () => {
      const token = await newReset();
      return () => resetPassword(hub, { token, password }, address);
    },
  ],
  [
    "accepting a mailed invitation",
    async () => {
      const token = await newInvitation("invited@example.org");
      return () => acceptInvitation(hub, { token, password }, null, address);
    },
  ],
  [
    "accepting a link",
    async () => {
      const token = await newInvitation(null);
      return () => acceptInvitation(hub, { token, email: "linked@example.org", password }, null, address);
    },
  ],
])("%s waits for its turn to hash the password", async (_name, prepare) => {
  const attempt = await prepare();
  const finish = fillQueue(address);
  await expect(attempt()).rejects.toMatchObject({
    code: "rate_limited",
    message: expect.stringContaining("at once") as string,
  });
  finish();
  await attempt();
});
