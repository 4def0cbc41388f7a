import { isAppError } from "../../errors";
import { isOutboundError, type OutboundError, type SafeRequest } from "../../lib/safe-fetch";
import { InputUnavailable } from "../../providers/input-unavailable";
import { isStorageUnavailable } from "../../lib/is-unavailable";
import type { InputFilesHub } from "./hub";

/**
 * Fetches an input from an external URL. Throws InputUnavailable, the signal's reason, or the error that `store` threw
 * about the content or the storage.
 */
export async function fetchOutside(hub: InputFilesHub, url: string, request: SafeRequest): Promise<Buffer> {
  let rejected: Error | undefined;
  const store = async (content: AsyncIterable<Uint8Array>) => {
    try {
      await request.store!(content);
    } catch (error) {
      if (isAppError(error) || isStorageUnavailable(error)) rejected = error;
      throw error;
    }
  };
  try {
    const { status, body } = await hub.fetch(url, { ...request, ...(request.store && { store }) });
    if (status === 200) return body;
    throw new InputUnavailable(`An input's URL returned status ${status}.`, status === 429 || status > 499);
  } catch (error) {
    // The HTTP client reports an error of `store` as a broken response.
    if (rejected) throw rejected;
    if (!isOutboundError(error)) throw error;
    throw new InputUnavailable(
      `An input could not be fetched. ${error.message}`,
      transientReasons.includes(error.reason),
    );
  }
}

const transientReasons: OutboundError["reason"][] = ["unresolved", "unreachable", "timeout", "broken"];
