import { invalidInput } from "../../errors";
import {
  dropMember,
  expectArray,
  expectObject,
  expectString,
  isAbsent,
  type Json,
  markOf,
  type Translation,
} from "./translation";

/** Members of a tool that a function of a chat has, and its type. */
const TOOL_MEMBERS = new Set(["type", "name", "description", "input_schema", "strict", "cache_control"]);

/** Returns the functions of a chat for the tools of a request; undefined if there are none. */
export function translateTools(tools: unknown, translation: Translation): Json[] | undefined {
  if (isAbsent(tools)) return undefined;
  return expectArray(tools, "tools").map((tool, index) => {
    const place = `tools.${index}`;
    translation.places.set(place, place);
    return translateTool(expectObject(tool, place), place, translation);
  });
}

function translateTool(tool: Json, place: string, translation: Translation): Json {
  const isCustom = isAbsent(tool.type) || tool.type === "custom";
  // The estimate counts the whole tool, whatever its type is.
  if (!isCustom && translation.isEstimate) return { ...tool, ...markOf(tool, translation) };
  if (!isCustom)
    throw invalidInput(`${place}.type`, `"${String(tool.type).slice(0, 64)}" is a tool that this model does not have`);
  for (const name of Object.keys(tool))
    if (!TOOL_MEMBERS.has(name)) dropMember(translation, `tools.${name}`, tool[name]);
  return {
    type: "function",
    function: {
      name: translation.toolNames.shorten(expectString(tool.name, `${place}.name`)),
      ...(!isAbsent(tool.description) && { description: expectString(tool.description, `${place}.description`) }),
      parameters: expectObject(tool.input_schema, `${place}.input_schema`),
      ...(typeof tool.strict === "boolean" && { strict: tool.strict }),
    },
    ...markOf(tool, translation),
  };
}

/** Returns the members of a chat for the choice of tools, which a chat without tools must not have. */
export function translateToolChoice(choice: unknown, tools: Json[] | undefined, translation: Translation): Json {
  if (isAbsent(choice)) return {};
  const { type, name, disable_parallel_tool_use: isSerial } = expectObject(choice, "tool_choice");
  const isForced = type === "any" || type === "tool";
  if (!tools && isForced) throw invalidInput("tool_choice", "needs tools");
  if (!tools) return {};
  return {
    tool_choice: toChoice(type, name, translation),
    ...(isSerial === true && { parallel_tool_calls: false }),
  };
}

function toChoice(type: unknown, name: unknown, { toolNames, isEstimate }: Translation): unknown {
  if (type === "auto" || type === "none" || isEstimate) return type;
  if (type === "any") return "required";
  if (type !== "tool") throw invalidInput("tool_choice.type", "must be auto, any, tool or none");
  return { type: "function", function: { name: toolNames.shorten(expectString(name, "tool_choice.name")) } };
}
