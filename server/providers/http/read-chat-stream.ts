import { setImmediate as startNextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import type { JsonCodec } from "../../lib/json/codec";
import { JsonScanner, MAX_NAME_BYTES } from "../../lib/json/scanner";
import { runAtOnce, runInSlices } from "../../lib/slices";
import {
  type ChatCall,
  type ChatChunk,
  ChatStreamBroken,
  type ChatStreamState,
  type FailedChat,
  NATIVE,
} from "../chat-call";
import { parseJson } from "./call-api";
import { describeConnectionError, describeReportedError } from "./describe-chat-failure";
import { type EventBounds, readEvents } from "./read-events";
import { readResponseBody } from "./read-response-body";
import { mayHoldSecret, redactProvider } from "./redact";

const MAX_VALUES = 10_000;
const MAX_COMPLETION_BYTES = 512 * 1024;
/** Events above this size are parsed outside the event loop. */
const LARGE_BYTES = 256 * 1024;
/** What a server may still send after the consumer has what it needs, so that its connection can be used again. */
const MAX_REST_BYTES = 16 * 1024;
const MAX_REST_MS = 1_000;
/** Chunks are read for this long before other work may run; a single chunk with many values can take as long. */
const TURN_MS = 5;

/** How a server streams: chats, OpenAI's Responses, or Anthropic's Messages. */
export interface StreamFormat {
  bounds: EventBounds & {
    /** The most JSON values of an event, or of a whole response; ten thousand by default. */
    maxValues?: number;
  };
  /** Whether the event with `finish_reason` is the last one, so that nothing after it is read. */
  hasEnd: boolean;
  readChunk: (event: unknown) => ChatChunk | null;
  /** Reads the response of a server that ignores `stream`. */
  readWhole: (value: unknown) => ChatChunk | null;
  /** Returns the error that an event reports; falsy for an ordinary one. */
  findError: (event: unknown) => unknown;
}

type StreamedCall = Pick<ChatCall, "route" | "json">;

/** Opens the stream of a response. Waits until the answer begins, so that an error before it is a failure to open the stream. */
export async function openStream(
  response: Dispatcher.ResponseData,
  format: StreamFormat,
  call: StreamedCall,
  signal: AbortSignal,
): Promise<ChatStreamState> {
  const chunks = readChunks(response, format, call, signal);
  const opening: ChatChunk[] = [];
  try {
    while (opening.length < MAX_OPENING_CHUNKS && opening.every(isBeforeAnswer)) {
      const next = await chunks.next();
      if (next.done) break;
      opening.push(next.value);
    }
  } catch (error) {
    if (error instanceof ChatStreamBroken) return error.failed;
    throw error;
  }
  if (opening.length === 0) return unusable("The provider's stream was empty.");
  return { state: "streaming", chunks: prepend(opening, chunks), upstreamStatus: 200 };
}

/** Events that come before the provider has begun to answer. */
const EARLY_EVENTS = ["ping", "response.created", "response.queued", "response.in_progress"];
/** An event of Responses may repeat the whole request, so few are kept. */
const MAX_OPENING_CHUNKS = 4;

const isBeforeAnswer = ({ choices, [NATIVE]: native }: ChatChunk): boolean =>
  choices.length === 0 && (native === undefined || EARLY_EVENTS.includes(native.type));

async function* prepend(opening: ChatChunk[], rest: AsyncGenerator<ChatChunk, void>): AsyncGenerator<ChatChunk, void> {
  try {
    yield* opening.splice(0);
    yield* rest;
  } finally {
    await rest.return();
  }
}

async function* readChunks(
  response: Dispatcher.ResponseData,
  format: StreamFormat,
  call: StreamedCall,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk, void> {
  const { body, headers } = response;
  try {
    if (/^application\/json\b/i.test(String(headers["content-type"]))) {
      yield await readWholeCompletion(response, format, call);
      return;
    }
    const bytes = body.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    let turnEndsAt = performance.now() + TURN_MS;
    let end: StreamEnd = format.hasEnd ? "awaited" : "none";
    for await (const data of readEvents(bytes, format.bounds)) {
      if (data.length === DONE.length && data.equals(DONE)) return;
      if (performance.now() > turnEndsAt) {
        await startNextTurn();
        turnEndsAt = performance.now() + TURN_MS;
      }
      const chunk = await parseChunk(data, format, call);
      yield chunk;
      end = followEnd(end, chunk);
      if (format.hasEnd && end === "reached") return;
    }
    if (end === "awaited") throw new ChatStreamBroken(unusable("The provider's stream ended early."));
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ChatStreamBroken) throw error;
    throw new ChatStreamBroken({ ...describeConnectionError(error), upstreamStatus: 200 });
  } finally {
    discardRest(body);
  }
}

const DONE = Buffer.from("[DONE]");

/** The end of an answer, which is awaited as soon as the answer has begun. */
type StreamEnd = "none" | "awaited" | "reached";

function followEnd(end: StreamEnd, { choices }: ChatChunk): StreamEnd {
  if (choices.some(({ finish_reason }) => finish_reason !== null)) return "reached";
  return end === "none" && choices.length > 0 ? "awaited" : end;
}

// Also closes the connection of a server that would keep sending.
function discardRest(body: Dispatcher.ResponseData["body"]): void {
  body.on("error", () => undefined);
  const destroy = () => void body.destroy();
  void body.dump({ limit: MAX_REST_BYTES, signal: AbortSignal.timeout(MAX_REST_MS) }).then(destroy, destroy);
}

async function readWholeCompletion(
  response: Dispatcher.ResponseData,
  format: StreamFormat,
  call: StreamedCall,
): Promise<ChatChunk> {
  const maxBytes = Math.max(MAX_COMPLETION_BYTES, format.bounds.maxEventBytes);
  const bytes = await readResponseBody(response, { ...jsonBoundsOf(format), maxBytes });
  const chunk = format.readWhole(await parseRedacted(Buffer.from(bytes), call));
  if (!chunk) throw new ChatStreamBroken(unusable("The provider's response could not be used."));
  return chunk;
}

async function parseChunk(data: Buffer, format: StreamFormat, call: StreamedCall): Promise<ChatChunk> {
  const value = new JsonScanner(jsonBoundsOf(format)).push(data) ? undefined : await parseRedacted(data, call);
  const error = format.findError(value);
  if (error) throw new ChatStreamBroken(describeReportedError(error, call.route.provider));
  const chunk = format.readChunk(value);
  if (!chunk) throw new ChatStreamBroken(unusable("The provider's stream could not be read."));
  return chunk;
}

const jsonBoundsOf = ({ bounds: { maxValues = MAX_VALUES } }: StreamFormat) => ({
  maxDepth: 64,
  maxValues,
  maxNameBytes: MAX_NAME_BYTES,
});

/** Returns the value of JSON without what names the provider; undefined for what is not JSON. */
function parseRedacted(data: Buffer, { json, route: { provider } }: StreamedCall): unknown {
  if (data.length > LARGE_BYTES) return parseLarge(data, { json, provider });
  const value = parseSmall(data);
  return runAtOnce(mayHoldSecret(data, provider)) ? redactProvider(value, provider) : value;
}

async function parseLarge(data: Buffer, { json, provider }: { json: JsonCodec; provider: ProviderSettings }) {
  const mustRedact = await runInSlices(mayHoldSecret(data, provider));
  // A copy, because the buffer of the connection has other events as well.
  const value = await parseJson(json, Uint8Array.from(data));
  // It has just been copied from another thread, which may take as long as to read it.
  await startNextTurn();
  return mustRedact ? redactProvider(value, provider) : value;
}

function parseSmall(data: Buffer): unknown {
  try {
    return JSON.parse(data.toString()) as unknown;
  } catch {
    return undefined;
  }
}

const unusable = (message: string): FailedChat => ({
  state: "failed",
  error: { code: "invalid_output", message, retryable: true },
  started: true,
  upstreamStatus: 200,
});
