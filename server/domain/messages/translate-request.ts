import { invalidInput } from "../../errors";
import { isObject } from "../../lib/is-object";
import type { ChatBody } from "../chat";
import { isStrictSchema } from "./is-strict-schema";
import { translateMessages } from "./translate-messages";
import { translateReasoning } from "./translate-reasoning";
import { translateToolChoice, translateTools } from "./translate-tools";
import {
  dropMember,
  expectArray,
  expectObject,
  expectString,
  isAbsent,
  type Json,
  type Translation,
} from "./translation";

/** A request in the format of Messages, whose `model` is known to be a text. */
export interface MessagesBody extends Json {
  model: string;
}

const MAX_STOP_SEQUENCES = 4;

/** Members that other functions translate together. */
const TRANSLATED = new Set([
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "stream",
]);

/** How the other members become members of a chat. */
const translators: Record<string, (value: unknown, translation: Translation) => Json> = {
  max_tokens: translateLimit,
  stop_sequences: translateStops,
  temperature: (temperature) => ({ temperature }),
  top_p: (top_p) => ({ top_p }),
  output_format: (format, translation) => translateFormat(format, "output_format", translation),
  // The hold must cover the tier that a route may serve which gets the client's own request.
  service_tier: (service_tier, { keepsMarks, dropped }) => {
    dropped.add("service_tier");
    return keepsMarks ? { service_tier } : {};
  },
  context_management: dropEdits,
  cache_control: (mark, { keepsMarks, dropped }) => {
    dropped.add("cache_control");
    return keepsMarks ? { cache_control: mark } : {};
  },
};

/**
 * Returns the chat for a request. What only hints at how to answer is dropped, and named in `dropped`; what would change the
 * answer without a notice is a 400 with its path.
 */
export function translateRequest(body: MessagesBody, translation: Translation): ChatBody {
  const { model, messages, system, tools, tool_choice, thinking, output_config } = body;
  const chat: ChatBody = { model, messages: translateMessages(system, messages, translation) };
  const functions = translateTools(tools, translation);
  if (functions) chat.tools = functions;
  Object.assign(chat, translateToolChoice(tool_choice, functions, translation));
  Object.assign(chat, translateReasoning(thinking, output_config, translation));
  Object.assign(chat, translateOutputConfig(output_config, translation));
  for (const [name, value] of Object.entries(body)) {
    if (TRANSLATED.has(name) || isAbsent(value)) continue;
    if (Object.hasOwn(translators, name)) Object.assign(chat, translators[name]!(value, translation));
    else dropMember(translation, name, value);
  }
  return chat;
}

function translateLimit(limit: unknown, { isEstimate }: Translation): Json {
  if (limit !== 0) return { max_completion_tokens: limit };
  // Anthropic only fills its cache then, and makes no output.
  if (isEstimate) return { max_completion_tokens: 1 };
  throw invalidInput("max_tokens", "must be at least 1 for this model");
}

function translateStops(stops: unknown, { isEstimate }: Translation): Json {
  const sequences = expectArray(stops, "stop_sequences").map((stop, index) =>
    expectString(stop, `stop_sequences.${index}`),
  );
  if (isEstimate || sequences.length <= MAX_STOP_SEQUENCES) return { stop: sequences };
  throw invalidInput("stop_sequences", `may have at most ${MAX_STOP_SEQUENCES} for this model`);
}

function translateOutputConfig(config: unknown, translation: Translation): Json {
  if (isAbsent(config)) return {};
  const { format, ...others } = expectObject(config, "output_config");
  for (const [name, value] of Object.entries(others))
    if (name !== "effort") dropMember(translation, `output_config.${name}`, value);
  return isAbsent(format) ? {} : translateFormat(format, "output_config.format", translation);
}

function translateFormat(format: unknown, place: string, { isEstimate }: Translation): Json {
  const { type, schema } = expectObject(format, place);
  if (isEstimate) return { response_format: format };
  if (type !== "json_schema") throw invalidInput(`${place}.type`, "must be json_schema");
  const expected = expectObject(schema, `${place}.schema`);
  const json_schema = { name: "output", schema: expected, ...(isStrictSchema(expected) && { strict: true }) };
  return { response_format: { type, json_schema } };
}

/** Drops edits of the context, which only save tokens. */
function dropEdits(management: unknown, { dropped }: Translation): Json {
  const { edits } = expectObject(management, "context_management");
  for (const edit of Array.isArray(edits) ? edits : []) {
    const type = isObject(edit) ? String(edit.type) : "edits";
    dropped.add(`context_management.${type}`);
  }
  return {};
}
