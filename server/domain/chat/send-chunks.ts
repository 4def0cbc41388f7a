import type { ChatChunk } from "../../providers/chat-call";
import type { AppError } from "../../errors";
import type { ChunkSender, StreamedAnswer } from "./dialect";
import { type EventStream, writeEvent } from "./event-stream";

/**
 * Creates the sender of one stream. The chunk with `finish_reason` is held back until the cost is known, because it also has
 * `usage` for a client that did not ask for usage; one that did gets it in a last chunk without choices, as OpenAI sends it.
 */
export function createChunkSender(
  { id, model, created_at, includeUsage }: StreamedAnswer,
  stream: EventStream,
  describeError: (error: AppError) => object,
): ChunkSender {
  const created = Math.floor(created_at.getTime() / 1000);
  let kept: ChatChunk | null = null;
  let members: Record<string, unknown> = {};
  const present = (chunk: ChatChunk, usage: object | null) => ({
    ...withoutUsage(chunk),
    id,
    object: "chat.completion.chunk",
    created,
    model,
    ...((includeUsage || usage) && { usage }),
  });
  return {
    async send(chunk, signal) {
      if (chunk.choices.length === 0) return;
      members = withoutUsage(chunk);
      // Some servers send more chunks after `finish_reason`, which only the last chunk may have.
      if (kept) await stream.send(present(withoutReason(kept), null), signal);
      kept = chunk.choices.some(({ finish_reason }) => finish_reason !== null) ? chunk : null;
      if (!kept) await stream.send(present(chunk, null), signal);
    },
    finish(finishReason, usage) {
      const last = kept ?? { ...members, choices: [{ index: 0, delta: {}, finish_reason: finishReason }] };
      const events = includeUsage
        ? [present(last, null), present({ ...members, choices: [] }, usage)]
        : [present(last, usage)];
      stream.end(`${events.map((event) => writeEvent(event)).join("")}data: [DONE]\n\n`);
    },
    fail: (error) => stream.end(writeEvent({ error: describeError(error) }, "error")),
  };
}

function withoutUsage(chunk: ChatChunk): ChatChunk {
  const rest = { ...chunk };
  delete rest.usage;
  return rest;
}

const withoutReason = ({ choices, ...rest }: ChatChunk): ChatChunk => ({
  ...rest,
  choices: choices.map((choice) => ({ ...choice, finish_reason: null })),
});
