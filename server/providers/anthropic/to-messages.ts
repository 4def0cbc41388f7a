import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../lib/is-object";
import type { SlicedWork } from "../../lib/slices";
import { isInstruction, markInstruction } from "../instruction";
import { toBlocks, Untranslatable } from "./to-blocks";

export { Untranslatable } from "./to-blocks";

type Json = Record<string, unknown>;

interface Turn {
  role: "user" | "assistant";
  content: Json[];
}

/** Members of a chat that Messages has under the same name, as other gateways send them too. */
const SHARED = ["model", "stream", "temperature", "top_p", "top_k", "thinking", "cache_control"];
/** Members that would change the answer and that Messages does not have, with the values that do not use them. */
const unsupported: Record<string, unknown[]> = {
  n: [1],
  logprobs: [false],
  top_logprobs: [0],
  frequency_penalty: [0],
  presence_penalty: [0],
  logit_bias: [{}],
  functions: [],
  function_call: [],
  modalities: [["text"]],
  web_search_options: [],
  audio: [],
  // Compaction has tokens of its own, which have no price.
  context_management: [],
};

/** Returns the request of Messages for a chat. Throws Untranslatable for what Messages does not have. */
export function* toMessages(chat: Json): SlicedWork<Json> {
  for (const [name, values] of Object.entries(unsupported)) {
    const value = chat[name] ?? null;
    if (value !== null && !values.some((unused) => isDeepStrictEqual(unused, value)))
      throw new Untranslatable(name, "is not supported by this model");
  }
  const { system, turns } = yield* splitMessages(Array.isArray(chat.messages) ? chat.messages : []);
  return {
    ...Object.fromEntries(SHARED.filter((name) => isSet(chat[name])).map((name) => [name, chat[name]])),
    max_tokens: chat.max_tokens ?? chat.max_completion_tokens,
    messages: turns,
    ...(system.length > 0 && { system }),
    ...translateTools(chat),
    ...translateOutput(chat),
    ...translateOptions(chat),
  };
}

/** Returns members that have another name, or other values. */
function translateOptions({ stop, safety_identifier, user: name, service_tier: tier }: Json): Json {
  const user = safety_identifier ?? name;
  return {
    ...(isSet(stop) && { stop_sequences: [stop].flat() }),
    ...(typeof user === "string" && { metadata: { user_id: user } }),
    ...(typeof tier === "string" && { service_tier: tier === "auto" ? "auto" : "standard_only" }),
  };
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

/** Returns the instructions at the beginning, and the turns after them: neighbours of one role are one turn. */
function* splitMessages(messages: unknown[]): SlicedWork<{ system: Json[]; turns: Turn[] }> {
  const system: Json[] = [];
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) throw new Untranslatable(`messages.${index}`, "must be an object");
    const blocks = yield* toBlocks(message, index);
    if (isInstruction(message) && turns.length === 0) system.push(...blocks);
    else addTurn(turns, message, blocks);
  }
  return { system, turns };
}

// Not every model accepts instructions between turns, so they are marked.
const markBlock = (block: Json): Json =>
  typeof block.text === "string" ? { ...block, text: markInstruction(block.text) } : block;

function addTurn(turns: Turn[], message: Json, blocks: Json[]): void {
  const role = message.role === "assistant" ? "assistant" : "user";
  const content = isInstruction(message) ? blocks.map(markBlock) : blocks;
  if (content.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...content);
  else turns.push({ role, content });
}

function translateTools({ tools, tool_choice: choice, parallel_tool_calls: isParallel }: Json): Json {
  if (!Array.isArray(tools) || tools.length === 0) return {};
  const chosen = translateChoice(choice);
  const hasFlag = isParallel === false && chosen?.type !== "none";
  return {
    tools: tools.map(translateTool),
    ...((chosen || hasFlag) && {
      tool_choice: { ...(chosen ?? { type: "auto" }), ...(hasFlag && { disable_parallel_tool_use: true }) },
    }),
  };
}

function translateTool(tool: unknown, index: number): Json {
  const called = isObject(tool) ? tool.function : undefined;
  if (!isObject(tool) || tool.type !== "function" || !isObject(called))
    throw new Untranslatable(`tools.${index}`, "must be a function");
  const { name, description, parameters, strict } = called;
  return {
    name,
    ...(isSet(description) && { description }),
    input_schema: isObject(parameters) ? { type: "object", ...parameters } : { type: "object", properties: {} },
    ...(strict === true && { strict }),
    ...(isSet(tool.cache_control) && { cache_control: tool.cache_control }),
  };
}

function translateChoice(choice: unknown): Json | null {
  if (choice === "auto" || choice === "none") return { type: choice };
  if (choice === "required") return { type: "any" };
  if (isObject(choice) && isObject(choice.function)) return { type: "tool", name: choice.function.name };
  if (isSet(choice)) throw new Untranslatable("tool_choice", "must be auto, none, required or a function");
  return null;
}

/** Returns how much the model may think, and the form of its answer. */
function translateOutput({ reasoning_effort: effort, response_format, thinking, tool_choice }: Json): Json {
  const format = translateFormat(response_format);
  const thinks = typeof effort === "string" && effort !== "none";
  // In Messages, a model that must call a tool cannot think.
  const mustCall = tool_choice === "required" || isObject(tool_choice);
  const config = { ...(format && { format }), ...(thinks && { effort: effort === "minimal" ? "low" : effort }) };
  return {
    ...(Object.keys(config).length > 0 && { output_config: config }),
    ...(thinks && !mustCall && !isSet(thinking) && { thinking: { type: "adaptive" } }),
  };
}

function translateFormat(format: unknown): Json | null {
  if (!isObject(format) || format.type === "text") return null;
  if (format.type === "json_schema" && isObject(format.json_schema))
    return { type: "json_schema", schema: format.json_schema.schema };
  throw new Untranslatable("response_format", "must be text or json_schema for this model");
}
