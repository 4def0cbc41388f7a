import { numberFormatter } from "../ui/numbers";
import { type Schema, typeOf } from "./parameter";

/** Returns a parameter's type and limits in words: "string, up to 4,000 characters", "integer from 1 to 500", "list of up to 4". */
export function formatLimits(schema: Schema): string {
  const type = typeOf(schema) || [schema.type ?? []].flat().join(" or ");
  const { minLength, maxLength, minItems, maxItems, format } = schema;
  if (type === "array") return ["list", range(minItems, maxItems, "of ")].filter(Boolean).join(" ");
  if (type !== "string") return [type, range(schema.minimum, schema.maximum)].filter(Boolean).join(" ");
  const length = range(minLength === 1 ? undefined : minLength, maxLength);
  return [format ?? type, length && !format && `${length} characters`].filter(Boolean).join(", ");
}

const number = numberFormatter(20);

function range(min: number | undefined, max: number | undefined, before = ""): string {
  if (min !== undefined && max !== undefined) {
    return min === max ? `${before}${number(min)}` : `${before || "from "}${number(min)} to ${number(max)}`;
  }
  if (max !== undefined) return `${before}up to ${number(max)}`;
  return min === undefined ? "" : `${before}at least ${number(min)}`;
}
