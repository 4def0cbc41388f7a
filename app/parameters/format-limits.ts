import { numbersWith } from "../ui/numbers";
import { type Schema, typeOf } from "./parameter";

/** What a parameter may be, in words: "string, up to 4,000 characters", "integer from 1 to 500", "list of up to 4". */
export function formatLimits(schema: Schema): string {
  const type = typeOf(schema) || [schema.type ?? []].flat().join(" or ");
  const { minLength, maxLength, minItems, maxItems, format } = schema;
  if (type === "array") return ["list", range(minItems, maxItems, "of ")].filter(Boolean).join(" ");
  if (type !== "string") return [type, range(schema.minimum, schema.maximum)].filter(Boolean).join(" ");
  const length = range(minLength === 1 ? undefined : minLength, maxLength);
  return [format ?? type, length && !format && `${length} characters`].filter(Boolean).join(", ");
}

const number = numbersWith(20);

function range(least: number | undefined, most: number | undefined, before = ""): string {
  if (least !== undefined && most !== undefined) {
    return least === most ? `${before}${number(least)}` : `${before || "from "}${number(least)} to ${number(most)}`;
  }
  if (most !== undefined) return `${before}up to ${number(most)}`;
  return least === undefined ? "" : `${before}at least ${number(least)}`;
}
