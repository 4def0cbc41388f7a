/** Returns a JSON value as a Python literal; JSON string escapes are valid in Python too. */
export function toPython(value: unknown, indent = ""): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const parts = Array.isArray(value)
    ? value.map((one) => toPython(one, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${toPython(one, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;
}
