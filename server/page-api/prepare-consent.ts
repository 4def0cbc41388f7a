import {
  CONNECTION_DAYS,
  denyConnection,
  describeRedirectUri,
  isRejected,
  readAuthorization,
  encryptQuestion,
} from "../domain/connections";
import { consumeRateLimit } from "../domain/rates";
import { toEuros } from "../lib/money";
import type { Session } from "../trpc/procedure";

const DAY_MS = 86_400_000;

/** Returns what a person is asked before an app may call `/mcp` for them, or why the app is rejected. */
export async function prepareConsent(session: Session, query: Parameters<typeof readAuthorization>[1]) {
  const { hub, account } = session;
  // Reading the app's metadata is a request to an unknown server.
  const { allowed } = await consumeRateLimit(hub, account.id, "write");
  if (!allowed) return { rejection: "Too many requests. Wait a minute and try again.", returnUrl: null };
  const request = await readAuthorization(hub, query);
  if (isRejected(request)) return { rejection: request.message, returnUrl: request.returnUrl };
  const { client, redirectUri } = request;
  return {
    client,
    redirect: describeRedirectUri(redirectUri),
    question: encryptQuestion(session, request),
    cancelUrl: denyConnection(session, request),
    available: toEuros(account.balance - account.reserved),
    expiresAt: new Date(hub.now().getTime() + CONNECTION_DAYS * DAY_MS).toISOString(),
  };
}
