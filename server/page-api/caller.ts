import { contextOf } from "../context";
import type { Hub } from "../domain/hub";
import { findSession } from "../domain/sessions";
import { clientAddress, CLIENT_HEADER } from "../lib/client-address";
import { isOwnOrigin, readSession } from "../lib/session-token";
import type { Caller } from "../trpc/procedure";

/** Returns the caller of the console. API keys and requests from other origins have no session. */
export async function readCaller(hub: Hub, headers: Headers): Promise<Caller> {
  const address = addressOf(hub, headers);
  if (headers.has("authorization") || !isOwnOrigin(hub.env.BASE_URL, headers)) return { hub, session: null, address };
  const isFromOwnPage = headers.has("origin");
  const claims = await readSession(hub, headers);
  const found = claims && (await findSession(hub, claims));
  if (found && found.stage !== "complete") return { hub, session: null, pending: found, address, isFromOwnPage };
  const session = found && contextOf(hub, found.account, found.actor, crypto.randomUUID());
  return { hub, session, address, isFromOwnPage };
}

/** Returns the client address used for throttling sign-ins; null when the host does not provide it. */
export const addressOf = (hub: Hub, headers: Headers): string | null =>
  headers.get(CLIENT_HEADER) ?? clientAddress(null, headers, hub.env.TRUSTED_PROXIES);
