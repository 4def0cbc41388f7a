import { ceilToNano, type Nano } from "../lib/money";
import { DEFAULT_MAX_ITEMS, DEFAULT_MAX_LENGTH } from "./bounds";
import { checkValue, type Parameters } from "./check-parameters";
import { megapixelsOf } from "./megapixels";
import { priceUnits } from "./price-units";
import { readQuantity } from "./read-quantity";
import type { UnitPricingEntry } from "./shape-price";
import type { ReportIssue, Schema } from "./subschemas";
import { readValueKey } from "./value-keys";

const ONE = ceilToNano(1);

/** Returns how many units of its price, in nano, an input can ask for at most; null after reporting why that is not known. */
export function findMaxUnits(pricing: UnitPricingEntry, parameters: Parameters, report: ReportIssue): Nano | null {
  const { requested, size } = priceUnits[pricing.per];
  switch (requested.from) {
    case "number":
      return boundTimes(pricing, parameters, requested.isWhole ? "whole" : "any", report);
    case "characters":
      return boundText(parameters, pricing.times!, size, at(report, "times"));
    case "max":
      return ceilToNano(pricing[requested.setting]! / size);
    case "megapixels": {
      const pictures = boundTimes(pricing, parameters, "whole", report);
      const each = boundSize(pricing, parameters, report);
      const inputs = boundInputs(pricing.inputs, parameters, report);
      return pictures === null || each === null || inputs === null ? null : pictures * BigInt(each + inputs);
    }
  }
}

type Kind = "whole" | "any";

/** Returns the highest number that the parameter `times` can have; one without it. */
const boundTimes = ({ times }: UnitPricingEntry, parameters: Parameters, kind: Kind, report: ReportIssue) =>
  times === undefined ? ONE : boundNumber(parameters, times, kind, at(report, "times"));

type ReportHere = (message: string) => void;

const at =
  (report: ReportIssue, ...path: string[]): ReportHere =>
  (message) =>
    report(path, message);

/** Returns the schema of a parameter whose value is known for every input; undefined after reporting why it is not. */
function findKnown(parameters: Parameters, name: string, report: ReportHere): Schema | undefined {
  const { properties, required = [] } = parameters.schema;
  if (!parameters.has(name)) return void report(`is not a parameter of the model: ${name}`);
  const property = properties[name]!;
  if (required.includes(name) || Object.hasOwn(property, "default")) return property;
  return void report(`needs a parameter that is required or has a default: ${name}`);
}

/** Returns the highest number that a parameter can have. */
function boundNumber(parameters: Parameters, name: string, kind: Kind, report: ReportHere): Nano | null {
  const property = findKnown(parameters, name, report);
  if (!property) return null;
  const values = listExtremes(property, kind);
  if (!values) {
    const [number, numbers] = kind === "whole" ? ["an integer", "whole numbers"] : ["a number", "numbers"];
    report(`needs ${number} with a minimum above 0 and a maximum, or an enum of ${numbers}: ${name}`);
    return null;
  }
  let highest = 0n;
  for (const value of values) {
    const number = readQuantity(value);
    // An input that asks for nothing would be free, although the provider may deliver its default.
    if (!number || (kind === "whole" && number % ONE !== 0n)) {
      report(`is ${JSON.stringify(value)} for some inputs, not a ${kind === "whole" ? "whole " : ""}number above 0`);
      return null;
    }
    if (number > highest) highest = number;
  }
  return highest;
}

/** Returns the values of an enum, or the bounds of a number; undefined for a parameter with neither. */
function listExtremes({ enum: values, type, minimum, maximum }: Schema, kind: Kind): unknown[] | undefined {
  if (Array.isArray(values)) return values as unknown[];
  if (type !== "integer" && !(type === "number" && kind === "any")) return undefined;
  return typeof minimum === "number" && minimum > 0 && typeof maximum === "number" ? [minimum, maximum] : undefined;
}

function boundText(parameters: Parameters, name: string, size: number, report: ReportHere): Nano | null {
  const property = findKnown(parameters, name, report);
  if (!property) return null;
  const { type, maxLength } = property;
  if (type === "string") return ceilToNano((typeof maxLength === "number" ? maxLength : DEFAULT_MAX_LENGTH) / size);
  report(`needs a parameter of type string: ${name}`);
  return null;
}

/** Returns the most megapixels of one picture. */
function boundSize({ width, height, size }: UnitPricingEntry, parameters: Parameters, report: ReportIssue) {
  if (size !== undefined && width === undefined && height === undefined)
    return boundMapping(size, parameters, (path, message) => report(["size", ...path], message));
  if (size !== undefined || width === undefined || height === undefined) {
    report([], "needs width and height, or size");
    return null;
  }
  const [maxWidth, maxHeight] = [
    boundNumber(parameters, width, "whole", at(report, "width")),
    boundNumber(parameters, height, "whole", at(report, "height")),
  ];
  return maxWidth === null || maxHeight === null ? null : megapixelsOf(Number(maxWidth / ONE), Number(maxHeight / ONE));
}

/** Returns the most megapixels of a mapping by the values of one parameter, all of which it must have. */
function boundMapping(
  size: NonNullable<UnitPricingEntry["size"]>,
  parameters: Parameters,
  report: ReportIssue,
): number | null {
  const [[name, mapping] = ["", {}], ...others] = Object.entries(size);
  if (name === "" || others.length > 0) return (report([], "needs the values of exactly one parameter"), null);
  const property = findKnown(parameters, name, at(report, name));
  if (!property) return null;
  const { enum: values } = property;
  if (!Array.isArray(values)) return (report([name], "needs a parameter with an enum"), null);
  const keys = Object.keys(mapping);
  for (const key of keys)
    checkValue(parameters, name, readValueKey(property, key), (message) => report([name, key], message));
  const missing = values.filter((value) => !keys.some((key) => readValueKey(property, key) === value));
  for (const value of missing) report([name], `has no megapixels for ${JSON.stringify(value)}`);
  return missing.length > 0 ? null : Math.max(...Object.values(mapping));
}

/** Returns the most megapixels that all input pictures together count as. */
function boundInputs(
  inputs: UnitPricingEntry["inputs"] = {},
  parameters: Parameters,
  report: ReportIssue,
): number | null {
  let total: number | null = 0;
  for (const [name, megapixels] of Object.entries(inputs)) {
    const { type, maxItems } = parameters.has(name) ? parameters.schema.properties[name]! : {};
    const pictures = type === "array" ? Number(maxItems ?? DEFAULT_MAX_ITEMS) : type === "string" ? 1 : null;
    if (pictures === null) report(["inputs", name], "needs a parameter of type array or string");
    total = total === null || pictures === null ? null : total + megapixels * pictures;
  }
  return total;
}
