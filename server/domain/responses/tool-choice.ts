import { invalidInput } from "../../errors";
import { type Json, readList, readObject, readText } from "./json";
import { SEARCH, type TranslatedTools } from "./tools";
import type { NamedTool, ToolNames } from "./tool-names";

const MAX_ALLOWED = 1_024;

/** The functions and the choice among them that a chat gets. */
interface ChosenTools {
  tools: Json[];
  choice: unknown;
}

/**
 * Translates which tool the model may call. Throws 400 for a tool that runs at OpenAI if the client forces it, or if it has no
 * other one.
 */
export function chooseTools(choice: unknown, { functions, hosted }: TranslatedTools, names: ToolNames): ChosenTools {
  if (functions.length === 0 && hosted.length > 0 && choice !== "none")
    throw invalidInput("tools", `must have a tool that the client runs: the hub does not run ${hosted[0]!}`);
  if (choice === undefined || choice === null) return { tools: functions, choice: undefined };
  if (typeof choice === "string") {
    if (!["auto", "none", "required"].includes(choice))
      throw invalidInput("tool_choice", "must be auto, none, required, or a tool");
    return { tools: functions, choice: functions.length === 0 ? undefined : choice };
  }
  const named = readObject(choice, "tool_choice");
  if (named.type === "allowed_tools") return allowTools(named, functions, names);
  const tool = findTool(named, "tool_choice", hosted);
  return { tools: functions, choice: { type: "function", function: { name: names.encode(tool) } } };
}

function allowTools({ mode, tools }: Json, functions: Json[], names: ToolNames): ChosenTools {
  if (mode !== "auto" && mode !== "required") throw invalidInput("tool_choice.mode", "must be auto or required");
  const allowed = new Set<string>();
  for (const [index, entry] of readList(tools, "tool_choice.tools", MAX_ALLOWED).entries()) {
    const path = `tool_choice.tools.${index}`;
    const tool = readObject(entry, path);
    if (isOwn(tool)) allowed.add(names.encode(findTool(tool, path, [])));
  }
  const narrowed = functions.filter((one) => allowed.has(String((one.function as Json).name)));
  if (narrowed.length === 0) throw invalidInput("tool_choice.tools", "must name tools of this request");
  return { tools: narrowed, choice: mode };
}

const isOwn = ({ type }: Json): boolean => type === "function" || type === "custom" || type === "tool_search";

function findTool(tool: Json, path: string, hosted: string[]): NamedTool {
  if (!isOwn(tool) || (tool.type === "tool_search" && hosted.includes("tool_search")))
    throw invalidInput(`${path}.type`, "names a tool that the hub does not run: use function or custom");
  if (tool.type === "tool_search") return SEARCH;
  const namespace = typeof tool.namespace === "string" ? tool.namespace : null;
  return { kind: tool.type as NamedTool["kind"], name: readText(tool.name, `${path}.name`), namespace };
}
