import { findReplayedChat, type Idempotency } from "../../domain/generations/replay";
import { isAppError } from "../../errors";
import type { Callers, ImmediateResult } from "../operation";
import { setGenerationId } from "./route";
import { describeChat } from "./shared";

interface FailedRequest {
  ctx: Callers["key"];
  request: Request;
  idempotency: Idempotency | null;
  /** Returns the stream of a stored answer; null if the client did not ask for a stream. */
  formatStream: ((answer: Record<string, unknown>) => string) | null;
}

/**
 * Returns the stored answer of the request's idempotency key, and throws the error if there is none. A repeat may fail where the
 * first request did not, because the model or a response that it refers to is gone. Throws 503 and 409 like `findReplayedChat`.
 */
export async function replayOrThrow(
  error: unknown,
  { ctx, request, idempotency, formatStream }: FailedRequest,
): Promise<ImmediateResult> {
  const earlier = idempotency && isAppError(error) ? await findReplayedChat(ctx, idempotency) : null;
  if (!earlier) throw error;
  const { id, answer, maxTokens } = earlier;
  setGenerationId(request, id);
  const headers = describeChat({ replayed: true, maxTokens, isStreamed: formatStream !== null });
  if (!formatStream) return { text: answer, headers };
  const json = (await ctx.hub.json.parseText(answer)) as Record<string, unknown>;
  return { content: new TextEncoder().encode(formatStream(json)), headers };
}
