import type { Hub } from "../../context";
import type { Device } from "../../lib/device-token";
import { normalizeEmail } from "../accounts/account";
import { isPassword } from "../accounts/password";
import { passwordCounters, throttleAttempts } from "../rates/throttle";

/** The account of a new session, and its session version when the credentials were checked. */
export interface SignedIn {
  id: number;
  email: string;
  sessionVersion: number;
}

/**
 * Returns the account for an e-mail address and password; null when they do not match. Throws a 429 after too many
 * wrong passwords, which are counted separately for a browser that signed in to this account before.
 */
export async function signIn(
  hub: Hub,
  { email, password }: { email: string; password: string },
  address: string | null,
  device: Device | null = null,
): Promise<SignedIn | null> {
  const normalized = normalizeEmail(email);
  const knownDevice = device && (await isKnownDevice(hub, normalized, device)) ? device : null;
  return throttleAttempts(hub, passwordCounters(hub, normalized, address, knownDevice), async () => {
    const account = await hub.db.prisma.account.findUnique({
      where: { email: normalized, suspended: false },
      select: { id: true, email: true, sessionVersion: true, passwordHash: true },
    });
    const isCorrect = await isPassword(password, account?.passwordHash ?? null);
    if (!account || !isCorrect) return null;
    const { id, sessionVersion } = account;
    return { id, email: account.email, sessionVersion };
  });
}

/** Returns whether the browser signed in to the account before, and not all its sessions were ended since. */
async function isKnownDevice(hub: Hub, email: string, { accountId, version }: Device): Promise<boolean> {
  return (await hub.db.prisma.account.count({ where: { email, id: accountId, sessionVersion: version } })) > 0;
}
