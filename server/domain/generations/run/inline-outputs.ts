import type { ArrivalBudget, ArrivalShare } from "../../../lib/arrival-budget";

const MEBIBYTE = 1024 ** 2;

/** One response at a time may exceed these; a response has at most 64 MiB. */
export const INLINE_LIMITS = { maxBytes: 64 * MEBIBYTE, maxBytesPerOwner: 32 * MEBIBYTE };
/** What the responses of a step may hold uncounted: enough for polls, and for outputs that are URLs. */
const FREE_BYTES = 256 * 1024;

/** What the responses of one step hold in memory. */
export interface InlineOutputs {
  /** Waits until the provider's next bytes may be held. Rejects with the signal's reason. */
  reserve(providerId: string, bytes: number, signal: AbortSignal): Promise<void>;
  /** Releases everything. */
  release(): void;
}

/** Returns the empty account of the memory that the responses of one step hold. */
export function createInlineOutputs({ services }: { services: { inlineOutputs: ArrivalBudget } }): InlineOutputs {
  let share: ArrivalShare | undefined;
  let freeBytes = FREE_BYTES;
  return {
    async reserve(providerId, bytes, signal) {
      const counted = Math.max(0, bytes - freeBytes);
      freeBytes -= bytes - counted;
      if (counted === 0) return;
      share ??= services.inlineOutputs.open(providerId);
      await share.take(counted, signal);
    },
    release: () => share?.release(),
  };
}
