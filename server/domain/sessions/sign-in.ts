import type { Hub } from "../../context";
import type { Device } from "../../lib/device-token";
import { normalizeEmail } from "../accounts/create";
import { isPassword } from "../accounts/password";
import { passwordCounters, throttleAttempts } from "../rates/throttle";

/** The account of a new session, and its session version when the credentials were checked. */
export interface SignedIn {
  id: number;
  email: string;
  session_version: number;
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
    const [row] = await hub.db.query<SignedIn & { password_hash: string | null }>(
      "SELECT id, email, session_version, password_hash FROM account WHERE email = $1 AND NOT suspended",
      [normalized],
    );
    const isCorrect = await isPassword(password, row?.password_hash ?? null);
    if (!row || !isCorrect) return null;
    const { id, session_version } = row;
    return { id, email: row.email, session_version };
  });
}

/** Returns whether the browser signed in to the account before, and not all its sessions were ended since. */
async function isKnownDevice(hub: Hub, email: string, { accountId, version }: Device): Promise<boolean> {
  const isKnownSql = "SELECT FROM account WHERE email = $1 AND id = $2 AND session_version = $3";
  return (await hub.db.query(isKnownSql, [email, accountId, version])).length > 0;
}
