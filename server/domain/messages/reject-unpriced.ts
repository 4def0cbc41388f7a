import { AppError, invalidInput } from "../../errors";
import { isObject } from "../../lib/is-object";
import { isAbsent, type Json } from "./translation";

const UNPRICED = "costs extra, and this hub has no price for it: omit it";
const FOREIGN = "belongs to an account at the provider, which customers of this hub do not have: omit it";

/** Members that a provider charges for beyond tokens, or that reach into the operator's account there. */
const members: Record<string, string> = {
  billing_policy: UNPRICED,
  compaction: UNPRICED,
  container: FOREIGN,
  diagnostics: FOREIGN,
  fallback_credit_token: UNPRICED,
  fallbacks: UNPRICED,
  mcp_servers: UNPRICED,
  user_profile_id: FOREIGN,
  workspace_id: FOREIGN,
};

/** Members with values that cost no more than others. */
const freeValues: Record<string, unknown> = { speed: "standard", inference_geo: "global" };

/** Tools that a provider's own servers run, at a price for each use, or in rounds that read the prompt again. */
const PRICED_TOOL = /^(?:web_search|web_fetch|code_execution|advisor|mcp_toolset)(?:_|$)/;

/** Betas that enable the members and tools above. */
const PRICED_BETA =
  /^(?:advisor|code-execution|compact|fallback-credit|fast-mode|files-api|mcp-client|skills|web-fetch)-/;

/**
 * Throws 400 with the path of anything that costs more than its tokens, because the hold does not cover it, or that belongs to
 * the operator's own account at the provider. Everything else that the hub does not know passes.
 */
export function rejectUnpriced(body: Json): void {
  for (const [name, value] of Object.entries(body)) {
    if (isAbsent(value)) continue;
    if (name === "thread") throw rejectThread();
    if (Object.hasOwn(members, name)) throw invalidInput(name, members[name]!);
    if (Object.hasOwn(freeValues, name) && value !== freeValues[name]) throw invalidInput(name, UNPRICED);
  }
  rejectTools(body.tools, "tools");
  rejectCompaction(body.context_management);
  for (const [index, { role, content }] of entriesOf(body.messages))
    for (const [part, block] of entriesOf(content)) rejectBlock(block, `messages.${index}.content.${part}`, role);
}

/**
 * Returns the 400 for a conversation that Anthropic stores, with the code that makes the SDK send the whole conversation
 * instead.
 */
function rejectThread(): AppError {
  const { message, extras } = invalidInput("thread", FOREIGN);
  return new AppError("invalid_input", message, { ...extras, anthropic_code: "thread_unsupported_request" });
}

function rejectTools(tools: unknown, place: string): void {
  for (const [index, tool] of entriesOf(tools)) rejectTool(tool, `${place}.${index}`);
}

function rejectTool({ type }: Json, place: string): void {
  if (typeof type === "string" && PRICED_TOOL.test(type)) throw invalidInput(`${place}.type`, UNPRICED);
}

function rejectCompaction(management: unknown): void {
  if (!isObject(management)) return;
  for (const [index, { type }] of entriesOf(management.edits))
    if (typeof type === "string" && type.startsWith("compact"))
      throw invalidInput(`context_management.edits.${index}.type`, UNPRICED);
}

function rejectBlock(block: Json, place: string, role: unknown): void {
  if (block.type === "container_upload") throw invalidInput(`${place}.type`, FOREIGN);
  // System messages may add tools.
  rejectTools(block.tools, `${place}.tools`);
  if (isObject(block.tool)) rejectTool(block.tool, `${place}.tool`);
  if (role !== "user" || !isMedium(block)) rejectFile(block, place);
  for (const [index, inner] of entriesOf(block.content))
    if (role !== "user" || block.type !== "tool_result" || !isMedium(inner))
      rejectFile(inner, `${place}.content.${index}`);
}

/** Returns whether a block of a user, or of a tool's result, may name a file of the account, which the hub looks up. */
const isMedium = ({ type }: Json): boolean => type === "image" || type === "document";

// Elsewhere the provider would look for the file, in the operator's account.
function rejectFile({ source }: Json, place: string): void {
  if (isObject(source) && source.type === "file")
    throw invalidInput(`${place}.source`, "can name a file by its id only in images and documents of a user");
}

function entriesOf(value: unknown): [number, Json][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, index): [number, Json][] => (isObject(item) ? [[index, item]] : []));
}

/** Splits the betas of an `anthropic-beta` header, in their order, into those that are passed on and those that cost extra. */
export function splitBetas(header: string | null): { passed: string[]; dropped: string[] } {
  const betas = (header ?? "").split(",").flatMap((beta) => beta.trim() || []);
  return {
    passed: betas.filter((beta) => !PRICED_BETA.test(beta)),
    dropped: betas.filter((beta) => PRICED_BETA.test(beta)),
  };
}
