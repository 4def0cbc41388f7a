import { withDeadline } from "./deadline";
import { parseAllowlist } from "./allowlist";
import { findAddresses } from "./find-addresses";
import { readUrl } from "./read-url";
import type { Lookup } from "./resolve-name";
import type { Scheme } from "./safe-request";

const LOOK_UP_MS = 5_000;

/** Throws OutboundError if the hub could not call a customer's URL now. Sends nothing to it. */
export function checkUrl(
  text: string,
  { schemes, allowHosts, lookup }: { schemes: Scheme[]; allowHosts: string[]; lookup?: Lookup },
): Promise<void> {
  return withDeadline(LOOK_UP_MS, undefined, async (signal) => {
    await findAddresses(readUrl(text, schemes), { allowlist: parseAllowlist(allowHosts), lookup, signal });
  });
}
