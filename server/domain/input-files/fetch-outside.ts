import { isOutboundError, type OutboundError, type SafeRequest } from "../../lib/safe-fetch";
import { InputUnavailable } from "../../providers/input-unavailable";
import type { InputFilesHub } from "./hub";

/** Fetches an input from an external URL. Throws InputUnavailable, the signal's reason, or what `store` threw. */
export async function fetchOutside(hub: InputFilesHub, url: string, request: SafeRequest): Promise<Buffer> {
  try {
    const { status, body } = await hub.fetch(url, request);
    if (status === 200) return body;
    throw new InputUnavailable(`An input's URL returned status ${status}.`, status === 429 || status > 499);
  } catch (error) {
    if (!isOutboundError(error)) throw error;
    throw new InputUnavailable(
      `An input could not be fetched. ${error.message}`,
      transientReasons.includes(error.reason),
    );
  }
}

const transientReasons: OutboundError["reason"][] = ["unresolved", "unreachable", "timeout", "broken"];
