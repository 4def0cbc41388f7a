import { parse } from "hono/utils/cookie";
import { decode, type JWT, type JWTDecodeParams } from "next-auth/jwt";
import { isId } from "./id";
import { deriveEncryptionKey } from "./encryption";
import { listSecrets, type Secrets } from "./signature";

/** Fixed by the specification, section 4.7. */
export const SESSION_COOKIE = ".AspNetCore.Cookies";

/** What the console's cookie says, sealed by the hub. Times in Unix seconds. */
export interface SessionClaims {
  sessionId: string;
  began: number;
  /** When it was last renewed. */
  seen: number;
}

/** Derives the key of session cookies from the hub's secret. */
export const sessionSecret = (secret: string): string =>
  deriveEncryptionKey(secret, "generation-hub sessions").toString("base64url");

/** Returns the claims of a request's session cookie; null without a valid one. */
export async function readSession(secrets: Secrets, headers: Headers): Promise<SessionClaims | null> {
  const header = headers.get("cookie");
  const token = header && parse(header, SESSION_COOKIE)[SESSION_COOKIE];
  if (!token) return null;
  const claims = await decodeToken(secrets, { token }).catch(() => null);
  return claims && asClaims(claims);
}

/** Returns the content of a token that one of the secrets encrypted; null without a token. Throws when none did. */
export async function decodeToken(secrets: Secrets, params: Omit<JWTDecodeParams, "secret">): Promise<JWT | null> {
  const attempts = await Promise.allSettled(
    listSecrets(secrets).map((secret) => decode({ ...params, secret: sessionSecret(secret) })),
  );
  const decoded = attempts.find((attempt) => attempt.status === "fulfilled");
  if (!decoded) throw new Error("the token was encrypted with another secret, changed, or has expired");
  return decoded.value;
}

/** Returns the claims among the members of a token; null when one is missing or malformed. */
export function asClaims({ session, began, seen }: Record<string, unknown>): SessionClaims | null {
  if (typeof session !== "string" || !isId(session)) return null;
  if (!Number.isSafeInteger(began) || !Number.isSafeInteger(seen)) return null;
  return { sessionId: session, began: began as number, seen: seen as number };
}

/**
 * Returns whether a request's `Origin` is the hub's: its public address, or the host of the request itself. A request
 * without one passes, because the cookie's SameSite attribute guards it.
 */
export function isOwnOrigin(baseUrl: string, headers: Headers): boolean {
  const origin = headers.get("origin");
  if (origin === null || origin === new URL(baseUrl).origin) return true;
  return URL.canParse(origin) && new URL(origin).host === headers.get("host");
}
