import { isIP } from "node:net";
import { AppError } from "../../errors";

/**
 * Throws 403 for an `Origin` that no page of a site sends, such as `null`, and for a page whose own host name leads to the
 * hub without being the hub's address: its name was pointed at the hub (DNS rebinding), which escapes the browser's rules
 * of other origins. Other origins are the business of CORS, and get nowhere without a key.
 */
export function checkOrigin(baseUrl: string, headers: Headers): void {
  const origin = headers.get("origin");
  if (origin === null) return;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (!url?.host) throw rejectOrigin("must name a site");
  const isOwnName = url.host === new URL(baseUrl).host || isLoopback(url.hostname);
  if (url.host === headers.get("host")?.toLowerCase() && !isOwnName) {
    throw rejectOrigin(`must not be another name of this hub: call it at ${new URL(baseUrl).origin}`);
  }
}

// No DNS answer can lead to these, so no foreign page has them.
const isLoopback = (name: string) => name === "localhost" || isIP(name.replace(/^\[|\]$/g, "")) !== 0;

const rejectOrigin = (message: string) =>
  new AppError("invalid_input", `Origin: ${message}`, { errors: { Origin: [message] } }, {}, 403);
