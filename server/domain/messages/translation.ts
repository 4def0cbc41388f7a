import type { Model } from "../../catalogue/model";
import { AppError, invalidInput, isAppError } from "../../errors";
import { isObject } from "../../lib/is-object";
import { createToolNames, type ToolNames } from "./tool-names";

export type Json = Record<string, unknown>;

/** The translation of one request of Messages to a chat. */
export interface Translation {
  model: Pick<Model, "inputModalities" | "parametersSchema" | "supports">;
  /**
   * Whether no route gets the translation: it is made only for the estimate, so content that a chat cannot express is kept as
   * text.
   */
  isEstimate: boolean;
  /** Whether a route writes caches where the client has marked the prompt, which the estimate then prices. */
  keepsMarks: boolean;
  toolNames: ToolNames;
  /** Names of members and types of blocks that routes of chats do not get. */
  dropped: Set<string>;
  /** The dropped members and blocks themselves, which a route that speaks Messages gets. */
  untranslated: unknown[];
  /** The paths in the client's request, by the paths in the chat. */
  places: Map<string, string>;
}

export const createTranslation = (
  model: Translation["model"],
  { isEstimate, keepsMarks }: Pick<Translation, "isEstimate" | "keepsMarks">,
): Translation => ({
  model,
  isEstimate,
  keepsMarks,
  toolNames: createToolNames(),
  dropped: new Set(),
  untranslated: [],
  places: new Map(),
});

export const expectObject = (value: unknown, place: string): Json => {
  if (isObject(value)) return value;
  throw invalidInput(place, "must be an object");
};

export const expectString = (value: unknown, place: string): string => {
  if (typeof value === "string") return value;
  throw invalidInput(place, "must be a string");
};

export const expectArray = (value: unknown, place: string): unknown[] => {
  if (Array.isArray(value)) return value;
  throw invalidInput(place, "must be a list");
};

/** Returns whether a member is absent in effect: some clients send null or an empty list for those that they do not use. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** Leaves a member or a block out of the chat. */
export function dropMember({ dropped, untranslated }: Translation, name: string, value: unknown): void {
  dropped.add(name);
  untranslated.push(value);
}

/** Returns the cache mark of a block or a tool as a member of its translation: the longest of all that it contains. */
export function markOf(block: Json, { keepsMarks, dropped }: Translation): Json {
  const marks = [...listMarks(block)];
  // Five minutes is the default.
  const mark = marks.find(({ ttl }) => (ttl ?? "5m") !== "5m") ?? marks[0];
  if (!mark) return {};
  // The chat of a route that does not speak Messages goes without marks.
  dropped.add("cache_control");
  return keepsMarks ? { cache_control: mark } : {};
}

/** Members whose JSON is the client's own. */
const OWN_JSON = new Set(["input", "input_schema"]);

function* listMarks(block: Json): Generator<Json> {
  if (isObject(block.cache_control)) yield block.cache_control;
  for (const [name, member] of Object.entries(block)) {
    if (OWN_JSON.has(name)) continue;
    for (const inner of Array.isArray(member) ? member : [member]) if (isObject(inner)) yield* listMarks(inner);
  }
}

/** The client's names of the members of a chat. */
const MEMBERS: [chat: string, messages: string][] = [
  ["max_completion_tokens", "max_tokens"],
  ["stop", "stop_sequences"],
  ["reasoning_effort", "output_config.effort"],
  ["response_format", "output_config.format"],
  ["parallel_tool_calls", "tool_choice.disable_parallel_tool_use"],
];

/** Returns an error of the chat with the paths that the client knows. */
export function renamePlaces(error: unknown, places: Map<string, string>): unknown {
  if (!isAppError(error) || error.code !== "invalid_input" || !error.extras.errors) return error;
  let { message } = error;
  const errors: Record<string, string[]> = {};
  for (const [place, messages] of Object.entries(error.extras.errors)) {
    const renamed = renamePlace(place, places);
    errors[renamed] = [...(errors[renamed] ?? []), ...messages];
    message = message.replaceAll(`${place}:`, `${renamed}:`);
  }
  return new AppError(error.code, message, { ...error.extras, errors }, error.headers, error.status);
}

function renamePlace(place: string, places: Map<string, string>): string {
  const member = MEMBERS.find(([chat]) => place === chat || place.startsWith(`${chat}.`));
  if (member) return member[1];
  const steps = place.split(".");
  for (let length = steps.length; length > 0; length -= 1) {
    const found = places.get(steps.slice(0, length).join("."));
    if (found === undefined) continue;
    const rest = steps.slice(length).join(".");
    return rest.startsWith("cache_control") ? `${found}.${rest}` : found;
  }
  return place;
}
