/** Members whose numbers are amounts or prices. A test compares them with the OpenAPI document. */
export const MONEY_MEMBERS: ReadonlySet<string> = new Set([
  "estimated_cost",
  "billed",
  "billed_cost",
  "reserved_cost",
  "balance",
  "available",
  "required",
  "total_billed",
  "price_usd",
  "next_price_usd",
  "input_cost_per_million",
  "cached_input_cost_per_million",
  "cache_write_cost_per_million",
  "cache_write_long_cost_per_million",
  "audio_input_cost_per_million",
  "image_input_cost_per_million",
  "output_cost_per_million",
  "reasoning_cost_per_million",
  "audio_output_cost_per_million",
  "gpu_price_per_second",
  "cost",
  "spend_limit",
  "spent",
  "amount",
  "tax",
  "threshold",
]);

/** Members whose content customers or catalogues define, so that names inside have no meaning here. */
export const OPAQUE_MEMBERS: ReadonlySet<string> = new Set([
  "input",
  "parameters",
  "parameters_schema",
  "match",
  "choices",
]);

/** Returns a copy in which amounts are decimal strings such as "0.0092", so that nobody adds them up as floats. */
export function withDecimals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withDecimals);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => {
      if (OPAQUE_MEMBERS.has(name)) return [name, member];
      if (typeof member === "number" && MONEY_MEMBERS.has(name)) return [name, formatDecimal(member)];
      return [name, withDecimals(member)];
    }),
  );
}

/** Returns a number as a plain decimal: 1e-9 is "0.000000001". */
export function formatDecimal(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(9).replace(/\.?0+$/, "") : text;
}
