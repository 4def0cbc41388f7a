import { type ChatChunk, ChatStreamBroken, type FailedChat } from "../../providers/chat-call";
import type { Failure } from "../../providers/failure";
import { toFailure } from "./call-routes";
import type { EventStream } from "../dialects";
import type { ChatHub } from "./hub";
import { ChatAborted } from "./in-flight";
import type { StreamProgress } from "./stream-progress";

/** How a stream ended: complete, early because the client left, or broken by an error. */
export type StreamEnd = { kind: "complete" } | { kind: "left" } | { kind: "broken"; failed: FailedChat };

interface Reading {
  id: string;
  chunks: AsyncGenerator<ChatChunk, void>;
  progress: StreamProgress;
  stream: EventStream;
  onChunk: (chunk: ChatChunk) => Promise<void>;
  /** Ends the request to the provider. */
  abort: (reason: ChatAborted) => void;
}

const noUsage: Failure = { code: "internal_error", message: "The provider reported no usage.", retryable: true };

/** Reads a provider's chunks to their end. After `finish_reason`, waits only a limited time for the usage. */
export async function readChunks(hub: ChatHub, reading: Reading): Promise<StreamEnd> {
  const { id, chunks, progress, stream, onChunk, abort } = reading;
  let usageTimer: NodeJS.Timeout | undefined;
  try {
    for await (const chunk of chunks) {
      await onChunk(chunk);
      if (progress.finishReason === null) continue;
      if (progress.hasFinalUsage()) break;
      usageTimer ??= setTimeout(() => abort(new ChatAborted(noUsage)), hub.services.streamTimes.usageMs);
    }
  } catch (error) {
    const isExpected = error instanceof ChatStreamBroken || error instanceof ChatAborted;
    if (!isExpected) hub.log.error({ err: error, generation: id }, "stream failed");
    // After `finish_reason` the text is complete, so only the provider's count is lost.
    if (progress.finishReason === null) return describeEnd(error, stream);
  } finally {
    clearTimeout(usageTimer);
  }
  const isEmpty = progress.finishReason === null && !progress.hasOutput();
  return isEmpty ? { kind: "broken", failed: emptyStream } : { kind: "complete" };
}

function describeEnd(error: unknown, stream: EventStream): StreamEnd {
  if (error instanceof ChatStreamBroken) return { kind: "broken", failed: error.failed };
  if (error instanceof ChatAborted && stream.left.aborted) return { kind: "left" };
  const failure = error instanceof ChatAborted ? error.failure : toFailure(error);
  return { kind: "broken", failed: { state: "failed", error: failure, started: true } };
}

const emptyStream: FailedChat = {
  state: "failed",
  error: { code: "invalid_output", message: "The provider's stream was empty.", retryable: true },
  started: true,
  upstreamStatus: 200,
};
