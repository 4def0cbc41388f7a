import { contextOf, type Hub } from "@/server/context";
import { resolveSession } from "@/server/domain/sessions/resolve-session";
import { clientAddress, CLIENT_HEADER } from "@/server/lib/client-address";
import { isOwnOrigin, readSession } from "@/server/lib/session-token";
import type { Caller } from "@/server/trpc/procedure";

/** Returns the caller of the console. API keys and requests from other origins have no session. */
export async function readCaller(hub: Hub, headers: Headers): Promise<Caller> {
  const address = addressOf(hub, headers);
  if (headers.has("authorization") || !isOwnOrigin(hub.env.BASE_URL, headers)) return { hub, session: null, address };
  const claims = await readSession(hub.secret, headers);
  const open = claims && (await resolveSession(hub, claims));
  return { hub, session: open && contextOf(hub, open.account, open.actor, crypto.randomUUID()), address };
}

/** Returns the client address used for throttling sign-ins; null when the host does not provide it. */
export const addressOf = (hub: Hub, headers: Headers): string | null =>
  headers.get(CLIENT_HEADER) ?? clientAddress(null, headers, hub.env.TRUSTED_PROXIES);
