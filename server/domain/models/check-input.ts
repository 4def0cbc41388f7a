import type { ErrorObject } from "ajv";
import { compileSchema } from "../../catalogue/compile-schema";
import type { Model } from "../../catalogue/model";
import { findChatIssues } from "./find-chat-issues";
import { chatInputSchema } from "./chat-input";
import { describeError, getIssuePath } from "./describe-error";
import { type Issues, MAX_ISSUES, rejectInput, type Root } from "./reject-input";

/**
 * Throws 400 `invalid_input` with the faults by place when the model does not take this input. Values are never
 * converted. A parameter that the schema does not name is a fault, unless the schema allows additional properties.
 * `root` is where the input stands in the request's body.
 */
export function checkInput(model: Model, input: Record<string, unknown>, root: Root = "input"): void {
  const faults = [...strangers(model, input), ...violations(model.parametersSchema, input)];
  if (model.isLlm) faults.push(...violations(chatInputSchema, input), ...findChatIssues(model, input));
  if (faults.length > 0) rejectInput(root, faults);
}

function strangers({ parametersSchema, isLlm }: Model, input: Record<string, unknown>): Issues {
  if (isLlm || (parametersSchema.additionalProperties ?? false) !== false) return [];
  const known = Object.keys(parametersSchema.properties);
  const remedy = known.length > 0 ? `the model takes ${known.slice(0, 30).join(", ")}` : "the model takes none";
  return Object.keys(input)
    .filter((name) => !Object.hasOwn(parametersSchema.properties, name))
    .slice(0, MAX_ISSUES)
    .map((name) => [name.slice(0, 200), `there is no such parameter: ${remedy}`]);
}

function violations(schema: Record<string, unknown>, input: unknown): Issues {
  const validate = compileSchema(schema);
  if (validate(input)) return [];
  return (validate.errors ?? []).filter(speaks).map((error) => [getIssuePath(error), describeError(error)]);
}

// "must match then schema" only repeats that something inside is wrong, and strangers have been named.
const speaks = ({ keyword, instancePath }: ErrorObject) =>
  keyword !== "if" && !(keyword === "additionalProperties" && instancePath === "");
