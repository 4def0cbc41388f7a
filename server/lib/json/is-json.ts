/** Returns whether JSON can represent a value: no date, bigint, NaN or undefined inside. */
export function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null)
    return typeof value === "string" || typeof value === "boolean" || value === null;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}
