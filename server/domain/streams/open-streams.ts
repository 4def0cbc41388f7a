import type { HubParts } from "../../context";
import { AppError } from "../../errors";
import { rateLimitedError } from "../rates";

/** Maximum open streams of a process. A rejected client may reach another process that has room. */
const MAX_STREAMS = 10_000;
const RETRY_MS = 5_000;

/** The streams that a process has open, by account. */
export interface OpenStreams {
  /** How often a reader gets a comment, in milliseconds. */
  beatMs: number;
  /**
   * Counts a stream and returns the function to call when it has ended. `end` ends it when the process stops. Throws 429
   * beyond the account's limit, and 503 beyond the process's.
   */
  add(accountId: number, end: () => void): () => void;
  /** Ends all streams; later ones are rejected with a 503. */
  close(): void;
}

/** Returns the open streams of a process. */
export function createOpenStreams({ env }: Pick<HubParts, "env">): OpenStreams {
  const byAccount = new Map<number, number>();
  const ends = new Set<() => void>();
  let isClosed = false;

  return {
    beatMs: 15_000,
    add(accountId, end) {
      const count = byAccount.get(accountId) ?? 0;
      if (count >= env.STREAMS_PER_ACCOUNT)
        throw rateLimitedError(
          RETRY_MS,
          `This account has ${count} open streams. Close one, or follow the whole account with one stream.`,
        );
      if (isClosed || ends.size >= MAX_STREAMS)
        throw new AppError("service_unavailable", "The hub has too many open streams.", {}, { "Retry-After": "1" });
      byAccount.set(accountId, count + 1);
      const entry = () => end();
      ends.add(entry);
      return () => {
        if (!ends.delete(entry)) return;
        const left = byAccount.get(accountId)! - 1;
        if (left > 0) byAccount.set(accountId, left);
        else byAccount.delete(accountId);
      };
    },
    close() {
      isClosed = true;
      for (const end of [...ends]) end();
    },
  };
}
