import type { Hub } from "../../context";
import { type Authenticated, authenticate as findKey } from "../../domain/keys/authenticate";
import { authenticateWorker } from "../../domain/workers/authenticate";
import { AppError } from "../../errors";
import type { Call } from "../call";
import type { Auth, Callers } from "../operation";

const BEARER = /^bearer +(\S+)$/i;
const SIGNED = /[?&]signature=/;

/** Who calls, or 401. The key is looked up at every request: a revocation binds the very next one. */
export async function authenticate(
  { hub, requestId }: Call,
  request: Request,
  auth: Auth,
): Promise<Callers["key" | "worker"] | null> {
  if (auth === "none") return null;
  const header = request.headers.get("authorization");
  if (header === null && auth === "key-or-link" && SIGNED.test(request.url)) return null;
  const credential = auth === "worker" ? "worker token" : "API key";
  if (header === null) throw unauthorized(`Send Authorization: Bearer <${credential}>.`);
  const secret = BEARER.exec(header)?.[1];
  if (secret === undefined) throw unauthorized(`The Authorization header must be: Bearer <${credential}>.`);
  if (auth === "worker") return { worker: await getWorker(hub, secret) };
  const found = await findKey(hub, secret);
  if (!found) throw unauthorized("This API key is not valid: mistyped, revoked or expired.");
  return contextOf(hub, found, requestId);
}

async function getWorker(hub: Hub, secret: string) {
  const worker = await authenticateWorker(hub, secret);
  if (!worker) throw unauthorized("This worker token is not valid: mistyped or revoked. API keys are not taken here.");
  return worker;
}

// Member by member: spreading a hub costs as much as all the rest of this file.
const contextOf = (hub: Hub, { account, actor }: Authenticated, requestId: string): Callers["key"] => ({
  hub,
  account,
  actor,
  requestId,
  env: hub.env,
  secret: hub.secret,
  log: hub.log,
  now: hub.now,
  db: hub.db,
  storage: hub.storage,
  fetch: hub.fetch,
  catalogue: hub.catalogue,
  providers: hub.providers,
  publish: hub.publish,
});

const unauthorized = (detail: string) => new AppError("unauthorized", detail);
