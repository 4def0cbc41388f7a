import { AppError } from "../../errors";
import { isTrustedHost } from "../../lib/private-name";

/**
 * Throws 403 for an opaque `Origin` such as `null`, and for a `Host` that is neither the hub's address nor a private name,
 * which prevents DNS rebinding. Other origins are subject to CORS, and need a key.
 */
export function checkOrigin(baseUrl: string, headers: Headers): void {
  const own = new URL(baseUrl);
  const origin = headers.get("origin");
  if (origin !== null && !(URL.canParse(origin) && new URL(origin).host))
    throw rejectHeader("Origin", "must name a site");
  if (!isTrustedHost(headers.get("host"), own.hostname))
    throw rejectHeader("Host", `must be the name of this hub: call it at ${own.origin}`);
}

const rejectHeader = (header: string, message: string) =>
  new AppError("invalid_input", `${header}: ${message}`, { errors: { [header]: [message] } }, {}, 403);
