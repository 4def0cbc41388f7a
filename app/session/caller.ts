import { contextOf, type Hub } from "@/server/context";
import { resolveSession } from "@/server/domain/sessions/resolve-session";
import { clientAddress } from "@/server/lib/client-address";
import { CLIENT_HEADER } from "@/server/lib/client-header";
import { isOwnOrigin } from "@/server/lib/own-origin";
import { readSession } from "@/server/lib/session-token";
import type { Caller } from "@/server/trpc/procedure";

/** Who sends these headers to the console. A key never opens it, nor does a page of somebody else. */
export async function readCaller(hub: Hub, headers: Headers): Promise<Caller> {
  const address = addressOf(hub, headers);
  if (headers.has("authorization") || !isOwnOrigin(hub.env.BASE_URL, headers)) return { hub, session: null, address };
  const claims = await readSession(hub.secret, headers);
  const open = claims && (await resolveSession(hub, claims));
  return { hub, session: open && contextOf(hub, open.account, open.actor, crypto.randomUUID()), address };
}

/** The address by which tries at a secret are counted; null when the host does not tell. */
export const addressOf = (hub: Hub, headers: Headers): string | null =>
  headers.get(CLIENT_HEADER) ?? clientAddress(null, headers, hub.env.TRUSTED_PROXIES);
