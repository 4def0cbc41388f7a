import { choicesOf, itemsOf, type Schema, typeOf } from "./parameter";

const MIN_TEXT_LENGTH = 300;

/** The kinds of controls; values that no other control can express are entered as JSON. */
export type Kind = "choice" | "choices" | "check" | "number" | "line" | "text" | "file" | "files" | "lines" | "json";

/** Returns the kind of control for a schema. */
export function kindOf(schema: Schema): Kind {
  if (choicesOf(schema)) return "choice";
  switch (typeOf(schema)) {
    case "boolean":
      return "check";
    case "integer":
    case "number":
      return "number";
    case "string":
      if (schema.format === "uri") return "file";
      return schema.format || schema.pattern || (schema.maxLength ?? Infinity) < MIN_TEXT_LENGTH ? "line" : "text";
    case "array":
      return kindOfList(itemsOf(schema));
    default:
      return "json";
  }
}

function kindOfList(items: Schema): Kind {
  if (items.enum) return "choices";
  if (typeOf(items) !== "string") return "json";
  return items.format === "uri" ? "files" : "lines";
}
