import { invalidInput } from "../../errors";
import { isPresent, type Json, readObject } from "./json";

const MAX_INCLUDES = 100;

/** Members that refer to state stored at OpenAI, with the issue for each. */
const UNSUPPORTED: Record<string, string> = {
  conversation: "is not supported: use previous_response_id",
  prompt: "is not supported: send instructions and input",
};

/** What the client has chosen about its response, beside what the model gets. */
export interface ResponseOptions {
  /** Whether the client wants reasoning with its ciphertext. */
  includesReasoning: boolean;
  /** Whether the response is stored; null if the client does not say. */
  store: boolean | null;
  previousId: string | null;
  stream: boolean;
}

/** Reads the options of a request. Throws 400 for what the hub does not support, and for values of another type. */
export function readOptions(body: Json): ResponseOptions {
  for (const [name, remedy] of Object.entries(UNSUPPORTED)) if (isPresent(body[name])) throw invalidInput(name, remedy);
  if (readFlag(body, "background")) throw invalidInput("background", "is not supported: stream the response instead");
  if (isPresent(body.top_logprobs) && body.top_logprobs !== 0)
    throw invalidInput("top_logprobs", "is not supported: omit it");
  const { previous_response_id: previous, stream_options: streamOptions } = body;
  if (isPresent(previous) && typeof previous !== "string")
    throw invalidInput("previous_response_id", "must be the id of a response");
  if (isPresent(streamOptions)) readObject(streamOptions, "stream_options");
  return {
    includesReasoning: readIncludes(body.include).includes(ENCRYPTED_REASONING),
    store: readFlag(body, "store"),
    previousId: typeof previous === "string" ? previous : null,
    stream: readFlag(body, "stream") ?? false,
  };
}

/** The value of `include` that asks for the ciphertext of reasoning. */
export const ENCRYPTED_REASONING = "reasoning.encrypted_content";
const LOGPROBS = "message.output_text.logprobs";

/** Returns the values of `include`. Unknown ones are ignored, because clients name those of hosted tools too. */
function readIncludes(include: unknown): unknown[] {
  if (!isPresent(include)) return [];
  if (!Array.isArray(include) || include.length > MAX_INCLUDES)
    throw invalidInput("include", `must be a list of at most ${MAX_INCLUDES} texts`);
  const position = include.indexOf(LOGPROBS);
  if (position !== -1) throw invalidInput(`include.${position}`, "is not supported: omit it");
  return include;
}

function readFlag(body: Json, name: string): boolean | null {
  const value = body[name] ?? null;
  if (value !== null && typeof value !== "boolean") throw invalidInput(name, "must be true or false");
  return value;
}
