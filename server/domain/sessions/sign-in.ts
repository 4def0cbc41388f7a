import type { Hub } from "../../context";
import { normalize } from "../accounts/create";
import { isPassword } from "../accounts/password";
import { throttle } from "./throttle";

/** Whom a new session is for, and the version that it is made under. */
export interface SignedIn {
  id: number;
  email: string;
  session_version: number;
}

/** The account of an address and its password; null when they do not belong together. 429 after too many wrong ones. */
export async function signIn(
  hub: Hub,
  { email, password }: { email: string; password: string },
  address: string | null,
): Promise<SignedIn | null> {
  const normalized = normalize(email);
  return throttle(hub, { email: normalized, address }, async () => {
    const [row] = await hub.db.query<SignedIn & { password_hash: string | null }>(
      "SELECT id, email, session_version, password_hash FROM account WHERE email = $1 AND NOT suspended",
      [normalized],
    );
    const right = await isPassword(password, row?.password_hash ?? null);
    if (!row || !right) return null;
    const { id, session_version } = row;
    return { id, email: row.email, session_version };
  });
}
