import type { Person } from "../../context";
import type { Queryable } from "../../db/client";
import { invalidInput } from "../../errors";
import { networkOf } from "../../lib/client-address";
import { addMember, checkEmail, insertPersonWithPassword } from "../people";
import { hashInTurn, hashToken, isPassword } from "../passwords";
import { passwordCounters, throttleAttempts } from "../rates";
import { consumeInvitation } from "./consume-invitation";
import type { MembersHub } from "./hub";

/** The address and password of somebody who accepts without being signed in, whether the hub knows them or not. */
interface Credentials {
  email?: string;
  password?: string;
}

/**
 * Accepts an invitation that names no address, as the person who is signed in, otherwise as the one with the credentials,
 * who is created if the hub knows no such address. Returns the person's address; null if the link was used meanwhile.
 * Throws a 400 for a member, or an invalid address or password, and a 429 after too many wrong passwords.
 */
export async function acceptLink(
  hub: MembersHub,
  { token, ...credentials }: Credentials & { token: string },
  person: Person | null,
  address: string | null,
): Promise<{ email: string } | null> {
  const hash = hashToken(token);
  const join = person
    ? { email: person.email, findPerson: () => Promise.resolve(person.id) }
    : await prepareJoin(hub, credentials, address);
  return hub.db.transaction(async (tx) => {
    const [accepted] = await consumeInvitation(tx, hash, hub.now());
    if (!accepted) return null;
    const [added] = await addMember(tx, accepted.account_id, await join.findPerson(tx), accepted.role, hub.now());
    // The error rolls the transaction back, so the link still works for somebody else.
    if (!added) throw invalidInput("token", "is for somebody else: you are a member already");
    return { email: join.email };
  });
}

async function prepareJoin(hub: MembersHub, { email: given = "", password = "" }: Credentials, address: string | null) {
  const email = checkEmail(given);
  const known = await hub.db.prisma.person.findUnique({ where: { email } });
  if (known) {
    await verifyPassword(hub, known, password, address);
    return { email, findPerson: () => Promise.resolve(known.id) };
  }
  const passwordHash = await hashInTurn(hub, password, address);
  return { email, findPerson: (tx: Queryable) => createPerson(tx, email, passwordHash, hub.now()) };
}

async function verifyPassword(
  hub: MembersHub,
  { email, passwordHash }: { email: string; passwordHash: string | null },
  password: string,
  address: string | null,
): Promise<void> {
  const isCorrect = await throttleAttempts(hub, passwordCounters(hub, email, address, null), async () =>
    (await hub.services.passwordWork.run(networkOf(address), () => isPassword(password, passwordHash))) ? true : null,
  );
  if (!isCorrect)
    throw invalidInput("password", "is wrong: this address has an account here. Enter its password, or sign in first");
}

async function createPerson(tx: Queryable, email: string, passwordHash: string, now: Date): Promise<number> {
  const [created] = await insertPersonWithPassword(tx, email, passwordHash, now);
  if (!created) throw invalidInput("email", "was registered a moment ago; try again");
  return created.id;
}
