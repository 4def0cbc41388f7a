import type { Exposure } from "../../env";
import { isObject } from "../../lib/is-object";
import { type ChatChunk, type Completion, NATIVE, type NativeEvent, STOP_SEQUENCE } from "../../providers/chat-call";

type Json = Record<string, unknown>;

// Servers add members that name them, the model's maker or what a request costs, so only known ones pass.
const completionMembers = ["id", "object", "created", "choices", "usage", "service_tier"];
const choiceMembers = ["index", "message", "delta", "finish_reason", "logprobs"];
const usageMembers = [
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "prompt_tokens_details",
  "completion_tokens_details",
];
const detailMembers = [
  "cached_tokens",
  "cache_write_tokens",
  "cache_write_tokens_details",
  "audio_tokens",
  "image_tokens",
  "text_tokens",
  "reasoning_tokens",
  "accepted_prediction_tokens",
  "rejected_prediction_tokens",
];
/** Members of a message of Anthropic's Messages and of a response of OpenAI's Responses. */
const nativeMembers = [
  "id",
  "type",
  "object",
  "status",
  "role",
  "content",
  "container",
  "context_management",
  "stop_reason",
  "stop_sequence",
  "stop_details",
  "error",
  "incomplete_details",
  "output",
  "parallel_tool_calls",
  "reasoning",
  "service_tier",
  "temperature",
  "text",
  "tool_usage",
  "top_logprobs",
  "top_p",
  "truncation",
  "usage",
];
const nativeUsageMembers = [
  "input_tokens",
  "output_tokens",
  "total_tokens",
  "input_tokens_details",
  "output_tokens_details",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
  "cache_creation",
  "server_tool_use",
  "service_tier",
];

/** Returns a completion as customers see it: without members that could name its provider. Its usage is still as reported. */
export const showCompletion = (exposure: Exposure, completion: Completion): Completion =>
  exposure === "full"
    ? completion
    : { ...concealMembers(completion), [NATIVE]: completion[NATIVE] && concealNative(completion[NATIVE]) };

type Chunks = AsyncGenerator<ChatChunk, void>;

/** Returns chunks as customers see them, like `showCompletion`. */
export const showChunks = (exposure: Exposure, chunks: Chunks): Chunks =>
  exposure === "full" ? chunks : concealChunks(chunks);

async function* concealChunks(chunks: Chunks): Chunks {
  for await (const chunk of chunks)
    yield { ...concealMembers(chunk), [NATIVE]: chunk[NATIVE] && concealEvent(chunk[NATIVE]) };
}

/** Returns a chat's usage as customers see it: without members that could name its provider or what it charges. */
export function showUsage(exposure: Exposure, usage: unknown): unknown {
  if (exposure === "full" || !isObject(usage)) return usage;
  const { prompt_tokens_details, completion_tokens_details, ...counts } = pick(usage, usageMembers);
  return {
    ...counts,
    prompt_tokens_details: concealDetails(prompt_tokens_details),
    completion_tokens_details: concealDetails(completion_tokens_details),
  };
}

const concealDetails = (details: unknown) => (isObject(details) ? pick(details, detailMembers) : undefined);

const concealMembers = <T extends Completion | ChatChunk>(answer: T): T => ({
  ...(pick(answer, completionMembers) as T),
  choices: answer.choices.map((choice) => ({
    ...pick(choice, choiceMembers),
    [STOP_SEQUENCE]: choice[STOP_SEQUENCE],
  })),
});

function concealEvent({ type, data }: NativeEvent): NativeEvent {
  const concealed = { ...data };
  for (const name of ["message", "response"]) if (isObject(data[name])) concealed[name] = concealNative(data[name]);
  if (isObject(data.usage)) concealed.usage = pick(data.usage, nativeUsageMembers);
  return { type, data: concealed };
}

function concealNative(answer: Json): Json {
  const known = pick(answer, nativeMembers);
  return isObject(known.usage) ? { ...known, usage: pick(known.usage, nativeUsageMembers) } : known;
}

const pick = (members: object, names: string[]): Json =>
  Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name)));
