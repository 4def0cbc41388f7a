/**
 * Returns about how many characters a value has as JSON, without the escapes of its texts. Stops counting soon after
 * `max`.
 */
export function measureJson(value: unknown, max: number): number {
  if (typeof value === "string") return value.length + '""'.length;
  if (typeof value !== "object" || value === null) return String(value).length;
  const isArray = Array.isArray(value);
  let length = "[]".length;
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    length += (isArray ? 0 : name.length + '"":'.length) + ",".length + measureJson(member, max - length);
    if (length > max) break;
  }
  return length;
}
