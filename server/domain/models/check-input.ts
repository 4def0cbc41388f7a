import type { ErrorObject } from "ajv";
import { compileSchema } from "../../catalogue/compile-schema";
import { measure } from "../../catalogue/measure";
import type { Model } from "../../catalogue/model";
import { AppError } from "../../errors";
import { chatFaults } from "./chat-faults";
import { chatInputSchema } from "./chat-input";
import { describeError, placeOf } from "./describe-error";

const MOST_VALUES = 50_000;
const MOST_PLACES = 20;

export type Faults = [place: string, message: string][];

/**
 * Throws 400 `invalid_input` with the faults by place when the model does not take this input. Values are never
 * converted. A parameter that the schema does not name is a fault, unless the schema allows additional properties.
 * `root` is where the input stands in the request's body.
 */
export function checkInput(model: Model, input: Record<string, unknown>, root: "input" | "body" = "input"): void {
  const { count } = measure(input, MOST_VALUES);
  if (count > MOST_VALUES) refuse([[root, `must hold at most ${MOST_VALUES} values`]]);
  const faults = [...strangers(model, input), ...violations(model.parametersSchema, input)];
  if (model.isLlm) faults.push(...violations(chatInputSchema, input), ...chatFaults(model, input));
  if (faults.length > 0) refuse(faults.map(([place, message]) => [placeIn(root, place), message]));
}

const placeIn = (root: "input" | "body", place: string) =>
  (root === "body" ? place : [root, place].filter(Boolean).join(".")).slice(0, 200) || root;

function strangers({ parametersSchema, isLlm }: Model, input: Record<string, unknown>): Faults {
  if (isLlm || (parametersSchema.additionalProperties ?? false) !== false) return [];
  const known = Object.keys(parametersSchema.properties);
  const remedy = known.length > 0 ? `the model takes ${known.slice(0, 30).join(", ")}` : "the model takes none";
  return Object.keys(input)
    .filter((name) => !Object.hasOwn(parametersSchema.properties, name))
    .slice(0, MOST_PLACES)
    .map((name) => [name.slice(0, 200), `there is no such parameter: ${remedy}`]);
}

function violations(schema: Record<string, unknown>, input: unknown): Faults {
  const validate = compileSchema(schema);
  if (validate(input)) return [];
  return (validate.errors ?? []).filter(speaks).map((error) => [placeOf(error), describeError(error)]);
}

// "must match then schema" only repeats that something inside is wrong, and strangers have been named.
const speaks = ({ keyword, instancePath }: ErrorObject) =>
  keyword !== "if" && !(keyword === "additionalProperties" && instancePath === "");

function refuse(faults: Faults): never {
  const errors = new Map<string, Set<string>>();
  for (const [place, message] of faults) {
    if (errors.size === MOST_PLACES && !errors.has(place)) continue;
    errors.set(place, (errors.get(place) ?? new Set()).add(message));
  }
  const [place, message] = faults[0]!;
  const more = errors.size > 1 ? ` (and ${errors.size - 1} more in errors)` : "";
  throw new AppError("invalid_input", `${place}: ${message}${more}`, {
    errors: Object.fromEntries([...errors].map(([at, messages]) => [at, [...messages]])),
  });
}
