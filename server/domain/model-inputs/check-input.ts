import type { ErrorObject } from "ajv";
import { compileSchema } from "../../catalogue/compile-schema";
import type { Model } from "../../catalogue/model";
import { chatInputSchema, findChatIssues } from "./chat-input";
import { describeError, getIssuePath } from "./describe-error";
import { type Issues, MAX_ISSUES, rejectInput, type Root } from "./reject-input";

/**
 * Throws 400 `invalid_input` with the issues by path when the input is not valid for the model. Values are never
 * converted. A parameter that the schema does not name is an issue, unless the schema allows additional properties.
 * `root` is the location of the input in the request body.
 */
export function checkInput(model: Model, input: Record<string, unknown>, root: Root = "input"): void {
  const issues = [...findUnknownParameters(model, input), ...findSchemaIssues(model.parametersSchema, input)];
  if (model.isLlm) issues.push(...findSchemaIssues(chatInputSchema, input), ...findChatIssues(model, input));
  if (issues.length > 0) rejectInput(root, issues);
}

function findUnknownParameters({ parametersSchema, isLlm }: Model, input: Record<string, unknown>): Issues {
  if (isLlm || (parametersSchema.additionalProperties ?? false) !== false) return [];
  const known = Object.keys(parametersSchema.properties);
  const supported = known.length > 0 ? `the model takes ${known.slice(0, 30).join(", ")}` : "the model takes none";
  return Object.keys(input)
    .filter((name) => !Object.hasOwn(parametersSchema.properties, name))
    .slice(0, MAX_ISSUES)
    .map((name) => [name.slice(0, 200), `there is no such parameter: ${supported}`]);
}

function findSchemaIssues(schema: Record<string, unknown>, input: unknown): Issues {
  const validate = compileSchema(schema);
  if (validate(input)) return [];
  return (validate.errors ?? []).filter(isInformative).map((error) => [getIssuePath(error), describeError(error)]);
}

// Ajv adds "must match then schema" to the issues inside it, and unknown parameters are reported by
// `findUnknownParameters`.
const isInformative = ({ keyword, instancePath }: ErrorObject) =>
  keyword !== "if" && !(keyword === "additionalProperties" && instancePath === "");
