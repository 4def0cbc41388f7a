import type { ErrorObject } from "ajv";
import { compileSchema } from "../../catalogue/compile-schema";
import type { Model } from "../../catalogue/model";
import { findAttachments } from "../attachments";
import { type FileTokens, findUnpriced, unboundedParts } from "../tokens";
import { findAttachmentIssue } from "./attachment-issue";
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
  // A chat's body is checked later, once its files have been looked up, because they may bound their tokens.
  if (root !== "body") issues.push(...findUnbounded(model, input.messages));
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

const partSchema = { type: "object", required: ["type"], properties: { type: { type: "string", maxLength: 64 } } };

const tokenLimitSchema = { type: ["integer", "null"], minimum: 1 };

const messageSchema = {
  type: "object",
  required: ["role"],
  properties: {
    role: { type: "string", minLength: 1, maxLength: 64 },
    content: { type: ["string", "array", "null"], maxLength: 1_000_000_000, maxItems: 10_000, items: partSchema },
  },
};

/** The input schema of all text models; members that it does not name are forwarded (specification, section 4.5). */
export const chatInputSchema = {
  type: "object",
  required: ["messages"],
  properties: {
    messages: { type: "array", minItems: 1, maxItems: 10_000, items: messageSchema },
    max_tokens: tokenLimitSchema,
    max_completion_tokens: tokenLimitSchema,
  },
};

/** Returns the issues of a chat that a schema cannot express, with their paths in the request body. */
function findChatIssues(model: Model, input: Record<string, unknown>): Issues {
  const { pricing } = model;
  const issues: Issues = [];
  if ((input.stream ?? false) !== false || input.stream === null) {
    issues.push(["stream", "must be false or omitted: streaming is not supported"]);
  }
  if (Object.hasOwn(input, "n")) issues.push(["n", "is not supported: send a request for each choice"]);
  for (const attachment of findAttachments(input.messages)) {
    const issue = findAttachmentIssue(model, attachment);
    if (issue !== null) issues.push([attachment.path, issue]);
  }
  if (pricing.by === "token") issues.push(...findUnpriced(pricing, input));
  return issues;
}

/** Returns the issues of parts whose tokens nothing bounds; none for a model whose context does. */
export const findUnbounded = ({ pricing }: Model, messages: unknown, fileTokens?: FileTokens): Issues =>
  pricing.by === "token" && pricing.contextLength === null
    ? unboundedParts(messages, fileTokens).map((path) => [path, "this model does not support parts of this type"])
    : [];
