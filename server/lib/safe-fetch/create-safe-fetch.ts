import { withDeadline } from "./deadline";
import { requestOverSocket } from "./request-over-socket";
import { parseAllowlist } from "./allowlist";
import { findAddresses } from "./find-addresses";
import { createHostLimiter } from "./host-limiter";
import { readUrl } from "./read-url";
import type { Lookup } from "./resolve-name";
import type { SafeFetch } from "./safe-request";

interface Settings {
  /** `host:port` pairs exempt from the public-address rule. */
  allowHosts: string[];
  lookup?: Lookup;
  /** Sockets at once. */
  maxConcurrent?: number;
  maxPerHost?: number;
}

/**
 * Returns a client for URLs that customers give: public addresses only, no redirects, no proxy, bounded in time and
 * bytes. It rejects with OutboundError, or with the reason of the caller's own signal.
 */
export function createSafeFetch({ allowHosts, lookup, maxConcurrent = 256, maxPerHost = 32 }: Settings): SafeFetch {
  const allowlist = parseAllowlist(allowHosts);
  const limitByHost = createHostLimiter({ maxConcurrent, maxPerHost });
  return (text, request) =>
    withDeadline(request.timeoutMs, request.signal, async (signal) => {
      const url = readUrl(text, request.schemes ?? ["https:", "http:"]);
      const call = async () => {
        const addresses = await findAddresses(url, { allowlist, lookup, signal });
        return requestOverSocket({ url, addresses }, request, signal);
      };
      return limitByHost(url.host, call, signal);
    });
}
