import type { PersonWhereInput } from "../../../prisma/client/models";
import { networkOf } from "../../lib/client-address";
import type { Device } from "../../lib/device-token";
import { normalizeEmail } from "../../lib/normalize-email";
import { isPassword } from "../passwords";
import { passwordCounters, throttleAttempts } from "../rates";
import type { SessionsHub } from "./hub";

/** The person of a new session. `sessionVersion` is that of the moment when the credentials were checked. */
export interface SignedIn {
  id: number;
  email: string;
  sessionVersion: number;
}

const canActForAccount = { memberships: { some: { account: { suspended: false } } } };

/** Returns the person who matches `where` and may act for an account that is not suspended; null if there is none. */
export const findSignedIn = (hub: SessionsHub, where: PersonWhereInput): Promise<SignedIn | null> =>
  hub.db.prisma.person.findFirst({
    where: { ...where, ...canActForAccount },
    select: { id: true, email: true, sessionVersion: true },
  });

/**
 * Returns the person for an e-mail address and password; null if they do not match, or the person may act for no account.
 * Throws a 429 after too many wrong passwords, which are counted separately for a browser on which the person signed in
 * before.
 */
export async function signIn(
  hub: SessionsHub,
  { email, password }: { email: string; password: string },
  address: string | null,
  device: Device | null = null,
): Promise<SignedIn | null> {
  const normalized = normalizeEmail(email);
  const knownDevice = device && (await isKnownDevice(hub, normalized, device)) ? device : null;
  return throttleAttempts(hub, passwordCounters(hub, normalized, address, knownDevice), async () => {
    const person = await hub.db.prisma.person.findFirst({
      where: { email: normalized, ...canActForAccount },
      select: { id: true, email: true, sessionVersion: true, passwordHash: true },
    });
    const isCorrect = await hub.services.passwordWork.run(networkOf(address), () =>
      isPassword(password, person?.passwordHash ?? null),
    );
    if (!person || !isCorrect) return null;
    return { id: person.id, email: person.email, sessionVersion: person.sessionVersion };
  });
}

/** Returns whether the person signed in on the browser before, and has not ended all sessions since. */
const isKnownDevice = async (hub: SessionsHub, email: string, { personId, version }: Device): Promise<boolean> =>
  (await hub.db.prisma.person.count({ where: { email, id: personId, sessionVersion: version } })) > 0;
