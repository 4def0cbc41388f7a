import { invalidInput } from "../../errors";
import { type Json, readList, readObject, readText, withoutAbsent } from "./json";
import type { NamedTool, ToolNames } from "./tool-names";

const MAX_TOOLS = 1_024;

/** The tools of a request as a chat takes them. */
export interface TranslatedTools {
  /** Functions of the chat. */
  functions: Json[];
  /** The types of tools that the hub does not run, in their order. */
  hosted: string[];
  /** The client's tools without the hosted ones. */
  own: unknown[];
  /** Members of the client's tools that the functions do not have. */
  untranslated: Json[];
}

/**
 * Translates tools into functions of a chat: custom tools get one text `input`, and tools in a namespace get its name before
 * theirs. Throws 400 with the path of a tool without a name.
 */
export function translateTools(tools: unknown, path: string, names: ToolNames): TranslatedTools {
  const result: TranslatedTools = { functions: [], hosted: [], own: [], untranslated: [] };
  if (tools === undefined || tools === null) return result;
  for (const [index, entry] of readList(tools, path, MAX_TOOLS).entries()) {
    const place = `${path}.${index}`;
    const tool = readObject(entry, place);
    const functions = translateTool(tool, place, names);
    if (functions === null) {
      result.hosted.push(readText(tool.type, `${place}.type`).slice(0, MAX_TYPE_LENGTH));
      continue;
    }
    result.own.push(tool);
    result.untranslated.push(...listUntranslated(tool));
    result.functions.push(...functions);
    if (result.functions.length > MAX_TOOLS) throw invalidInput(path, `must have at most ${MAX_TOOLS} functions`);
  }
  return result;
}

const MAX_TYPE_LENGTH = 64;

/** Returns the functions of a tool; null for one that runs at OpenAI. */
function translateTool(tool: Json, path: string, names: ToolNames): Json[] | null {
  if (tool.type === "namespace") return translateNamespace(tool, path, names);
  if (tool.type === "tool_search") return tool.execution === "client" ? [toSearch(tool, names)] : null;
  if (tool.type !== "function" && tool.type !== "custom") return null;
  return [toFunction(tool, path, names, null)];
}

/** Members of tools that their functions have, by the types of tools. */
const TRANSLATED: Record<string, Set<string>> = {
  custom: new Set(["type", "name", "description", "format"]),
  function: new Set(["type", "name", "description", "parameters", "strict"]),
  namespace: new Set(["type", "name", "tools"]),
  tool_search: new Set(["type", "execution", "description", "parameters"]),
};

/** Returns the members of a tool, and of the tools in its namespace, that the functions of a chat do not have. */
function listUntranslated(tool: Json): Json[] {
  const others = Object.entries(tool).filter(([name]) => !TRANSLATED[String(tool.type)]!.has(name));
  const inner = tool.type === "namespace" ? (tool.tools as Json[]).flatMap(listUntranslated) : [];
  return others.length > 0 ? [Object.fromEntries(others), ...inner] : inner;
}

function translateNamespace(tool: Json, path: string, names: ToolNames): Json[] {
  const namespace = readText(tool.name, `${path}.name`);
  return readList(tool.tools, `${path}.tools`, MAX_TOOLS).map((entry, index) => {
    const place = `${path}.tools.${index}`;
    const inner = readObject(entry, place);
    if (inner.type !== "function" && inner.type !== "custom")
      throw invalidInput(`${place}.type`, "must be function or custom");
    return toFunction(inner, place, names, namespace);
  });
}

function toFunction(tool: Json, path: string, names: ToolNames, namespace: string | null): Json {
  const kind = tool.type === "custom" ? "custom" : "function";
  const name = names.encode({ kind, name: readText(tool.name, `${path}.name`), namespace });
  if (kind === "custom") return nested({ name, description: describeCustom(tool), parameters: CUSTOM_PARAMETERS });
  const { description, parameters, strict } = tool;
  return nested(withoutAbsent({ name, description, parameters: parameters ?? NO_PARAMETERS, strict }));
}

const nested = (called: Json): Json => ({ type: "function", function: called });

const NO_PARAMETERS = { type: "object", properties: {} };
const CUSTOM_PARAMETERS = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"],
  additionalProperties: false,
};

/** Returns the description of a custom tool with its grammar, which a chat cannot enforce. */
function describeCustom({ description, format }: Json): string {
  const text = typeof description === "string" ? description : "";
  const { type, syntax, definition } = (format ?? {}) as Json;
  if (type !== "grammar" || typeof definition !== "string") return text;
  return `${text}\n\nThe input must match this ${String(syntax)} grammar:\n${definition}`.trim();
}

/** The tool by which a client lets the model find its other tools. */
export const SEARCH: NamedTool = { kind: "tool_search", name: "tool_search", namespace: null };

const toSearch = ({ description, parameters }: Json, names: ToolNames): Json =>
  nested(withoutAbsent({ name: names.encode(SEARCH), description, parameters: parameters ?? NO_PARAMETERS }));
