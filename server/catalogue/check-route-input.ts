import { asObject, isObject } from "../lib/is-object";
import { checkValue, type Parameters } from "./check-parameters";
import { CONVERSION } from "./shape-route";
import type { ReportIssue, Schema } from "./subschemas";
import { readValueKey } from "./value-keys";

/**
 * Reports settings of a route that name unknown parameters or values, and two members of the upstream's input with the same
 * name. Returns the names of those members.
 */
export function checkRouteInput(route: Schema, parameters: Parameters, report: ReportIssue): Set<string> {
  for (const setting of ["rename", "values", "as", "accepts"]) {
    for (const name of Object.keys(asObject(route[setting])))
      if (!parameters.has(name)) report([setting, name], "is not a parameter of the model");
  }
  checkValues(asObject(route.values), parameters, report);
  checkAccepts(asObject(route.accepts), asObject(route.values), parameters, report);
  return checkNames(route, parameters, report);
}

function checkValues(values: Schema, parameters: Parameters, report: ReportIssue): void {
  for (const [name, mapping] of Object.entries(values)) {
    if (!parameters.has(name)) continue;
    for (const key of Object.keys(asObject(mapping))) {
      const value = readValueKey(parameters.schema.properties[name]!, key);
      checkValue(parameters, name, value, (message) => report(["values", name, key], message));
    }
  }
}

function checkAccepts(accepts: Schema, values: Schema, parameters: Parameters, report: ReportIssue): void {
  for (const [name, list] of Object.entries(accepts)) {
    if (Object.hasOwn(values, name)) report(["accepts", name], "is already limited to the keys of values");
    if (!parameters.has(name) || !Array.isArray(list)) continue;
    for (const [index, value] of list.entries())
      checkValue(parameters, name, value, (message) => report(["accepts", name, index], message));
  }
}

/** Returns the names that upstream sees: those of the model, of `rename`, `as` and `set`. */
function checkNames(route: Schema, parameters: Parameters, report: ReportIssue): Set<string> {
  const [rename, as] = [asObject(route.rename), asObject(route.as)];
  const changed = Object.entries(rename).map(([name, target]) => ({ name, targets: [String(target)], path: "rename" }));
  for (const [name, conversion] of Object.entries(as)) {
    const targets = listTargets(route, name, String(conversion), (message) => report(["as", name], message));
    if (!targets) continue;
    if (Object.hasOwn(rename, name)) report(["as", name], "already has another name by rename");
    changed.push({ name, targets, path: "as" });
  }
  const names = new Set(Object.keys(parameters.schema.properties));
  for (const { name } of changed) names.delete(name);
  for (const { name, targets, path } of changed) {
    for (const target of targets.filter((one) => names.has(one)))
      report([path, name], `gives two parameters the name ${target}`);
    for (const target of targets) names.add(target);
  }
  for (const name of Object.keys(asObject(route.set))) {
    if (names.has(name)) report(["set", name], "is also a parameter");
    names.add(name);
  }
  return names;
}

/** Returns the names that a conversion gives a parameter; undefined if it keeps its own. */
function listTargets(
  { values }: Schema,
  name: string,
  conversion: string,
  report: (message: string) => void,
): string[] | undefined {
  const [, type, , target] = CONVERSION.exec(conversion) ?? [];
  if (type !== "members") return target === undefined ? undefined : [target];
  const mapping = asObject(values)[name];
  const mapped = Object.values(asObject(mapping));
  if (mapped.length === 0 || !mapped.every(isObject)) report("needs values for the parameter, each of them a mapping");
  return [...new Set(mapped.filter(isObject).flatMap((one) => Object.keys(one)))];
}
