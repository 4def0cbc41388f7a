import { choicesOf, itemsOf, type Schema, typeOf } from "./parameter";

const LONG = 300;

/** By what a value is entered. What no form can express is entered as JSON. */
export type Kind = "choice" | "choices" | "check" | "number" | "line" | "text" | "file" | "files" | "lines" | "json";

/** The control that fits a parameter. */
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
      return schema.format || schema.pattern || (schema.maxLength ?? Infinity) < LONG ? "line" : "text";
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
