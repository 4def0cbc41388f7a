import { isMatch } from "../../catalogue/match";
import type { Conversion, Route } from "../../catalogue/model";

/**
 * Returns the input that upstream gets: the route's names, values, types and constants; omitted parameters have the default
 * values that were priced. Every member is an own property, whatever its name.
 */
export function toUpstreamInput(
  route: Pick<Route, "rename" | "values" | "as" | "set" | "defaults">,
  input: Record<string, unknown>,
): Record<string, unknown> {
  const members = Object.entries<unknown>({ ...route.defaults, ...input }).flatMap(([name, value]) =>
    toMembers(route, name, mapValue(route, name, value)),
  );
  return Object.fromEntries([...members, ...Object.entries(route.set)]);
}

function mapValue({ values }: Pick<Route, "values">, name: string, value: unknown): unknown {
  const mapping = Object.hasOwn(values, name) ? values[name] : undefined;
  const key = mapping && JSON.stringify(value);
  return mapping?.has(key!) ? mapping.get(key!) : value;
}

function toMembers({ rename, as }: Pick<Route, "rename" | "as">, name: string, value: unknown): [string, unknown][] {
  const upstreamName = Object.hasOwn(rename, name) ? rename[name]! : name;
  const conversion = Object.hasOwn(as, name) ? as[name]! : null;
  if (conversion === null) return [[upstreamName, value]];
  if ("name" in conversion) return nameItems(conversion, value);
  if (conversion.to === "members" && typeof value === "object" && value !== null) return Object.entries(value);
  return [[upstreamName, convertScalar(conversion.to, value)]];
}

function nameItems({ to, name }: Extract<Conversion, { name: string }>, value: unknown): [string, unknown][] {
  const items = Array.isArray(value) ? (value as unknown[]) : value === null ? [] : [value];
  const named = to === "first" ? items.slice(0, 1) : items;
  return named.map((item, index) => [index === 0 ? name : `${name}_${index + 1}`, item]);
}

function convertScalar(type: Conversion["to"], value: unknown): unknown {
  if (type === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  return type === "number" && isNumeric(value) ? Number(value) : value;
}

const isNumeric = (value: unknown): boolean =>
  typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value));

/** Returns the name of the upstream model that serves an input on this route; empty if the kind needs none. */
export const chooseUpstreamModel = (
  { upstreamModel, when, defaults }: Pick<Route, "upstreamModel" | "when" | "defaults">,
  input: Record<string, unknown>,
): string => {
  const completed = { ...defaults, ...input };
  const other = when.find((one) => one.upstreamModel !== null && isMatch(one.match, completed));
  return other?.upstreamModel ?? upstreamModel ?? "";
};
