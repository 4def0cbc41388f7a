import { setImmediate as startNextTurn } from "node:timers/promises";
import type { Dispatcher } from "undici";
import { MAX_NAME_BYTES } from "../../lib/json/scanner";
import { runAtOnce, runInSlices } from "../../lib/slices";
import type { ChatCall, ChatState, Completion, FailedChat } from "../chat-call";
import { parseJson } from "./call-api";
import { readResponseBody } from "./read-response-body";
import { mayHoldSecret, redactProvider } from "./redact";

/** Completions can contain images, so the size limit is generous. */
const BOUNDS = { maxBytes: 20 * 1024 * 1024, maxDepth: 64, maxValues: 50_000, maxNameBytes: MAX_NAME_BYTES };
/** Responses above this size are parsed and processed outside the event loop. */
const LARGE_BYTES = 256 * 1024;

/** Reads the whole answer of a provider. `read` returns null for an answer that cannot be used. Throws when it breaks off. */
export async function readWhole(
  response: Dispatcher.ResponseData,
  { json, reserve, route: { provider } }: ChatCall,
  read: (value: unknown) => Completion | null,
): Promise<ChatState> {
  const bytes = await readResponseBody(response, BOUNDS, reserve);
  const isLarge = bytes.byteLength > LARGE_BYTES;
  const search = mayHoldSecret(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), provider);
  const mustRedact = isLarge ? await runInSlices(search) : runAtOnce(search);
  const value = await parseJson(json, bytes);
  // A large one has just been copied from another thread, which may take as long as to read it.
  if (isLarge) await startNextTurn();
  const redacted = mustRedact ? redactProvider(value, provider) : value;
  if (isLarge) await startNextTurn();
  const completion = read(redacted);
  return completion ? { state: "succeeded", completion, upstreamStatus: 200, isLarge } : unusableResponse;
}

/** The failure of a response that cannot be read. */
export const unusableResponse: FailedChat = {
  state: "failed",
  error: { code: "invalid_output", message: "The provider's response could not be used.", retryable: true },
  started: true,
  upstreamStatus: 200,
};
