import type { Model } from "../../catalogue/model";
import { AppError, invalidInput, isAppError } from "../../errors";
import type { ChatBody } from "../chat";
import { isPresent, type Json, readObject, withoutAbsent } from "./json";
import { chooseTools } from "./tool-choice";
import { createToolNames, type ToolNames } from "./tool-names";
import { translateTools, type TranslatedTools } from "./tools";
import { listItemTools, type PlacedItem, translateItems } from "./translate-items";
import type { OnUnknown } from "./translate-parts";

/** Members that become part of the chat, that the hub handles itself, or that only describe the client. */
const OWN = new Set(
  (
    "model input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature top_p " +
    "top_logprobs reasoning text metadata user safety_identifier service_tier prompt_cache_key prompt_cache_retention " +
    "prompt_cache_options client_metadata store include previous_response_id conversation prompt background stream stream_options"
  ).split(" "),
);

/** Members that would change a response, and that the hub does not act upon. */
const DROPPED: Record<string, (value: unknown) => boolean> = {
  truncation: (value) => value !== "disabled",
  context_management: () => true,
  max_tool_calls: () => true,
  moderation: () => true,
  image: () => true,
  access_programs: () => true,
};

/** A request as a chat. */
export interface TranslatedRequest {
  body: ChatBody;
  names: ToolNames;
  /** The client's tools without those that the hub does not run; undefined if it has sent none. */
  tools: unknown[] | undefined;
  /** Members and types that the model does not get. */
  dropped: string[];
  /** Names of members and items that a chat does not have, and a route with Responses gets. */
  unknown: string[];
  /** The parts of tools and the unknown members that only a route with Responses gets. */
  untranslated: unknown[];
  /** The place in the request that each message of the chat begins with. */
  paths: string[];
}

interface Options {
  model: Model;
  onUnknown: OnUnknown;
  openReasoning: (content: unknown) => string | null;
}

/** Translates a request with its resolved items into a chat. Throws 400 with the path of what has no place in a chat. */
export function translateRequest(request: Json, items: PlacedItem[], options: Options): TranslatedRequest {
  const names = createToolNames();
  const tools = translateTools(request.tools, "tools", names);
  const all = addItemTools(tools, items, names);
  const { tools: functions, choice } = chooseTools(request.tool_choice, all, names);
  const { model, onUnknown, openReasoning } = options;
  const { messages, paths, dropped, unreadable } = translateItems(items, { names, onUnknown, openReasoning });
  const { instructions } = request;
  if (isPresent(instructions)) {
    if (typeof instructions !== "string") throw invalidInput("instructions", "must be a text");
    messages.unshift({ role: "system", content: instructions });
    paths.unshift("instructions");
  }
  if (messages.length === 0) throw invalidInput("input", "must have an item that the model gets");
  const reasoning = translateReasoning(request, model);
  const chat = withoutAbsent({
    temperature: request.temperature,
    top_p: request.top_p,
    user: request.user,
    safety_identifier: request.safety_identifier,
    service_tier: request.service_tier,
    prompt_cache_key: request.prompt_cache_key,
    prompt_cache_retention: request.prompt_cache_retention,
    prompt_cache_options: request.prompt_cache_options,
    reasoning_effort: reasoning.effort,
    verbosity: reasoning.verbosity,
    max_completion_tokens: request.max_output_tokens,
    response_format: translateFormat(request.text),
    tools: functions.length > 0 ? functions : undefined,
    tool_choice: choice,
    parallel_tool_calls: functions.length > 0 ? request.parallel_tool_calls : undefined,
    model: model.id,
    messages,
  }) as ChatBody;
  const unknown = Object.keys(request).filter((name) => !isKnown(name) && isPresent(request[name]));
  return {
    body: chat,
    names,
    tools: isPresent(request.tools) ? tools.own : undefined,
    dropped: [...new Set([...all.hosted, ...dropped, ...reasoning.dropped, ...listDropped(request)])],
    unknown: [...new Set([...all.untranslated.flatMap(listToolMembers), ...unreadable, ...unknown])],
    untranslated: [...all.untranslated, ...unknown.map((name) => request[name])],
    paths,
  };
}

function addItemTools(tools: TranslatedTools, items: PlacedItem[], names: ToolNames): TranslatedTools {
  const functions = new Map(tools.functions.map((one) => [nameOf(one), one]));
  const hosted = [...tools.hosted];
  const untranslated = [...tools.untranslated];
  for (const { tools: more, path } of listItemTools(items)) {
    const added = translateTools(more, path, names);
    for (const one of added.functions) functions.set(nameOf(one), one);
    hosted.push(...added.hosted);
    untranslated.push(...added.untranslated);
  }
  return { ...tools, functions: [...functions.values()], hosted, untranslated };
}

const listToolMembers = (members: Json): string[] => Object.keys(withoutAbsent(members)).map((name) => `tools.${name}`);

const nameOf = (tool: Json): unknown => (tool.function as Json).name;

const isKnown = (name: string): boolean => OWN.has(name) || Object.hasOwn(DROPPED, name);

const listDropped = (request: Json): string[] =>
  Object.keys(DROPPED).filter((name) => isPresent(request[name]) && DROPPED[name]!(request[name]));

interface TranslatedReasoning {
  effort?: unknown;
  verbosity?: unknown;
  dropped: string[];
}

/** Returns how much the model thinks and writes, for models that know these members. */
function translateReasoning({ reasoning, text }: Json, { supports }: Model): TranslatedReasoning {
  const { effort } = readObject(reasoning ?? {}, "reasoning");
  const { verbosity } = readObject(text ?? {}, "text");
  if (supports.reasoning) return { effort, verbosity, dropped: [] };
  const sent = withoutAbsent({ "reasoning.effort": effort, "text.verbosity": verbosity });
  return { dropped: Object.keys(sent) };
}

function translateFormat(text: unknown): Json | undefined {
  const { format = null } = readObject(text ?? {}, "text");
  if (format === null) return undefined;
  const { type, ...schema } = readObject(format, "text.format");
  if (type === "text") return undefined;
  if (type === "json_object") return { type };
  if (type === "json_schema") return { type, json_schema: schema };
  throw invalidInput("text.format.type", "must be text, json_object or json_schema");
}

const NAMES: [RegExp, string][] = [
  [/^max_(?:completion_)?tokens/, "max_output_tokens"],
  [/^reasoning_effort/, "reasoning.effort"],
  [/^verbosity/, "text.verbosity"],
  [/^response_format/, "text.format"],
];
const MESSAGE = /^messages\.(\d+)/;

/** Returns an error of the chat with the places of the request. */
export function renamePlaces(error: unknown, { paths }: Pick<TranslatedRequest, "paths">): unknown {
  if (!isAppError(error) || !error.extras.errors) return error;
  const rename = (place: string): string => {
    const index = MESSAGE.exec(place)?.[1];
    if (index !== undefined) return place.replace(MESSAGE, paths[Number(index)] ?? "input");
    return NAMES.reduce((renamed, [pattern, name]) => renamed.replace(pattern, name), place).replace(
      /^messages/,
      "input",
    );
  };
  const errors = Object.entries(error.extras.errors).map(([place, messages]) => [rename(place), messages] as const);
  const [place] = Object.keys(error.extras.errors);
  const message =
    place !== undefined && error.message.startsWith(place)
      ? rename(place) + error.message.slice(place.length)
      : error.message;
  const extras = { ...error.extras, errors: Object.fromEntries(errors) };
  return new AppError(error.code, message, extras, error.headers, error.status);
}
