import type { Hub } from "../../context";
import { isAppError } from "../../errors";
import { isOutboundError, type OutboundError, type SafeRequest } from "../../lib/safe-fetch";
import { InputUnavailable } from "../../providers/input-unavailable";
import { isStorageUnavailable } from "../health/is-storage-unavailable";

/**
 * Fetches the outside address of an input. Throws InputUnavailable, the reason of the signal, or what `store` threw
 * because of the content or the storage.
 */
export async function fetchOutside(hub: Hub, url: string, request: SafeRequest): Promise<Buffer> {
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
    throw new InputUnavailable(
      `The address of an input answered with status ${status}.`,
      status === 429 || status > 499,
    );
  } catch (error) {
    // The client takes what its caller throws for a broken answer.
    if (rejected) throw rejected;
    if (!isOutboundError(error)) throw error;
    throw new InputUnavailable(`An input could not be fetched. ${error.message}`, passing.includes(error.reason));
  }
}

const passing: OutboundError["reason"][] = ["unresolved", "unreachable", "timeout", "broken"];
