import { CallError } from "../../../trpc/send-calls";
import { streamCall } from "../../../trpc/stream-call";
import { errorsOf } from "../../../ui/errors-of";
import type { Turn } from "./turn";

const RETRY_INTERVAL_MS = 1_500;
/** How long the hub usually takes to end a chat that was stopped. */
const STOP_MS = 400;
const MAX_STOP_MS = 30_000;

/** Thrown when a person stops a reply before its first text. */
export class Stopped extends Error {}

interface ChatRequest {
  /** A request that is sent again with the same key is neither repeated nor charged twice. */
  idempotencyKey: string;
  model: string;
  messages: unknown[];
  max_tokens?: number;
}

interface Progress {
  /** Aborts when the person stops the reply. */
  stop: AbortSignal;
  /** Called with the text so far. */
  onText: (text: string) => void;
}

/** Requests a reply and reports its text as it arrives. A reply that is stopped is the text until then, with its cost. */
export async function requestReply(request: ChatRequest, { stop, onText }: Progress): Promise<Turn> {
  let hasText = false;
  const onAnyText = (text: string) => {
    hasText ||= text !== "";
    onText(text);
  };
  try {
    return await fetchReply(request, { stop, onText: onAnyText });
  } catch (error) {
    if (!stop.aborted) throw error;
    if (!hasText) throw new Stopped();
  }
  // The hub charges for the text until the stop, and returns it to a request with the same key.
  await new Promise((resolve) => setTimeout(resolve, STOP_MS));
  const timeout = AbortSignal.timeout(MAX_STOP_MS);
  const reply = await fetchReply(request, { stop: timeout, onText: () => undefined }).catch((error: unknown) => {
    throw timeout.aborted ? new Stopped() : error;
  });
  return { ...reply, isStopped: true };
}

/** Streams a reply, and waits for one that an earlier request with the same key is still making. */
async function fetchReply(request: ChatRequest, progress: Progress): Promise<Turn> {
  for (;;) {
    const reply = await streamReply(request, progress).catch((error: unknown) => {
      if (errorsOf(error)?.code !== "generation_in_progress") throw error;
    });
    if (reply) return reply;
    await pause(RETRY_INTERVAL_MS, progress.stop);
  }
}

interface Chunk {
  id: string;
  choices: { delta: { content?: string | null }; finish_reason: string | null }[];
  usage?: NonNullable<Turn["usage"]> | null;
}

async function streamReply(request: ChatRequest, { stop, onText }: Progress): Promise<Turn> {
  const began = performance.now();
  const reply: Turn = { role: "assistant", text: "", images: [] };
  let pieces = 0;
  let firstAt = began;
  for await (const chunks of streamCall<Chunk>("playground.chat", request, stop)) {
    for (const chunk of chunks) {
      const [choice] = chunk.choices;
      const text = choice?.delta.content ?? "";
      if (text !== "" && (pieces += 1) === 1) firstAt = performance.now();
      reply.text += text;
      reply.id = chunk.id;
      reply.isCut ||= choice?.finish_reason === "length";
      reply.usage = chunk.usage ?? reply.usage;
    }
    onText(reply.text);
  }
  // The last chunk has the usage.
  if (!reply.usage) throw new CallError("The connection was lost.", null);
  // A reply that was made before arrives in one piece.
  if (pieces > 1) reply.speed = { firstMs: firstAt - began, streamMs: performance.now() - firstAt };
  return reply;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    signal.addEventListener("abort", abort, { once: true });
  });
