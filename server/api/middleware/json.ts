import { type AppError, invalidInput } from "../../errors";
import { isStorable } from "../../lib/json/storable";
import { placeOf } from "../../lib/reject-issues";

export const MAX_DEPTH = 64;

/** Parses JSON that can be kept and given back as it came (contract, General); else 400 with the place. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidInput("body", text === "" ? "is empty; send a JSON object" : `is not JSON: ${reason(error)}`);
  }
  // Only an escape can bring these characters: raw ones are no JSON, or no UTF-8.
  inspect(value, [], text.includes("\\u"));
  return value;
}

// V8 quotes the text around the fault; a few words of it are enough.
const reason = (error: unknown) => (error as Error).message.replace(/[\0\p{Surrogate}]/gu, "�").slice(0, 120);

function inspect(value: unknown, path: PropertyKey[], escapes: boolean): void {
  if (typeof value === "number") checkNumber(value, path);
  else if (typeof value === "string") {
    if (escapes && !isStorable(value)) throw fault(path, "must not hold \\u0000 or half a surrogate pair");
  } else if (typeof value === "object" && value !== null) {
    if (path.length === MAX_DEPTH) throw fault(path.slice(0, 8), `is nested deeper than ${MAX_DEPTH}`);
    if (Array.isArray(value)) value.forEach((item, index) => descend(item, index, path, escapes));
    else for (const name of Object.keys(value)) inspectMember(value as Record<string, unknown>, name, path, escapes);
  }
}

function inspectMember(owner: Record<string, unknown>, name: string, path: PropertyKey[], escapes: boolean): void {
  if (name === "__proto__") throw fault([...path, name], "is not allowed as a name");
  if (escapes && !isStorable(name)) throw fault(path, "has a name with \\u0000 or half a surrogate pair");
  descend(owner[name], name, path, escapes);
}

// One path for the whole walk: a copy for each value would cost more than the parsing.
function descend(value: unknown, step: PropertyKey, path: PropertyKey[], escapes: boolean): void {
  path.push(step);
  inspect(value, path, escapes);
  path.pop();
}

function checkNumber(value: number, path: PropertyKey[]): void {
  if (!Number.isFinite(value)) throw fault(path, "is not a finite number");
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw fault(path, "is an integer that cannot be kept exactly; send it as a string");
  }
}

const fault = (path: PropertyKey[], message: string): AppError => invalidInput(placeOf(path), message);
