import type { Ctx } from "../../context";
import { authenticate as findKey } from "../../domain/keys/authenticate";
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
): Promise<Callers["key"] | null> {
  if (auth === "none") return null;
  const header = request.headers.get("authorization");
  if (header === null && auth === "key-or-link" && SIGNED.test(request.url)) return null;
  if (header === null) throw unauthorized("Send Authorization: Bearer <API key>.");
  const secret = BEARER.exec(header)?.[1];
  if (secret === undefined) throw unauthorized("The Authorization header must be: Bearer <API key>.");
  const found = await findKey(hub, secret);
  if (!found) throw unauthorized("This API key is not valid: mistyped, revoked or expired.");
  return { ...hub, hub, ...found, requestId } satisfies Ctx;
}

const unauthorized = (detail: string) => new AppError("unauthorized", detail);
