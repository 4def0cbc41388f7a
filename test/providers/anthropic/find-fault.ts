type Json = Record<string, unknown>;

const MEMBERS = new Set(
  (
    "model max_tokens messages system stop_sequences stream temperature top_p top_k tools tool_choice thinking " +
    "output_config cache_control metadata service_tier context_management"
  ).split(" "),
);
const BLOCKS: Record<string, string[]> = {
  user: ["text", "image", "document", "tool_result"],
  assistant: ["text", "thinking", "redacted_thinking", "tool_use"],
  system: ["text"],
};
const MAX_MARKS = 4;

/** Returns why Anthropic refuses a request; null if it does not. */
export function findFault(body: Json): string | null {
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined) return `${unknown}: Extra inputs are not permitted`;
  if (!Number.isInteger(body.max_tokens) || Number(body.max_tokens) < 1) return "max_tokens: Field required";
  const messages = body.messages as Json[];
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required";
  if (messages[0]!.role !== "user") return "messages: first message must use the user role";
  if (countMarks(body) > MAX_MARKS) return "A maximum of 4 blocks with cache_control may be provided";
  for (const [index, message] of messages.entries()) {
    const fault = findMessageFault(message, messages[index - 1]);
    if (fault !== null) return `messages.${index}.${fault}`;
  }
  return findToolFault(body);
}

function findMessageFault({ role, content }: Json, before: Json | undefined): string | null {
  const allowed = BLOCKS[String(role)];
  if (!allowed) return `role: Input should be 'user' or 'assistant'`;
  if (typeof content === "string") return content === "" ? "content: must be non-empty" : null;
  const blocks = content as Json[];
  if (!Array.isArray(blocks) || blocks.length === 0) return "content: must be non-empty";
  for (const [index, block] of blocks.entries()) {
    if (!allowed.includes(String(block.type)))
      return `content.${index}: Input tag '${String(block.type)}' is not expected`;
    if (block.type === "text" && block.text === "") return "content: text content blocks must be non-empty";
  }
  const calls = idsOf(before, "tool_use", "id");
  const results = idsOf({ content }, "tool_result", "tool_use_id");
  if (results.some((id) => !calls.includes(id)))
    return "content: unexpected `tool_use_id` found in `tool_result` blocks";
  if (calls.some((id) => !results.includes(id)))
    return "content: `tool_use` ids were found without `tool_result` blocks";
  return null;
}

const idsOf = (message: Json | undefined, type: string, member: string): unknown[] =>
  (Array.isArray(message?.content) ? (message.content as Json[]) : [])
    .filter((block) => block.type === type)
    .map((block) => block[member]);

function findToolFault({ tools = [], tool_choice: choice }: Json): string | null {
  for (const [index, tool] of (tools as Json[]).entries()) {
    if (typeof tool.name !== "string" || !/^[\w-]{1,128}$/.test(tool.name)) return `tools.${index}.name: invalid`;
    if ((tool.input_schema as Json | undefined)?.type !== "object")
      return `tools.${index}.input_schema.type: Field required`;
  }
  return choice !== undefined && (tools as Json[]).length === 0 ? "tool_choice: requires tools" : null;
}

function countMarks(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Object.hasOwn(value, "cache_control") ? 1 : 0;
  return Object.values(value).reduce((sum: number, member) => sum + countMarks(member), own);
}
