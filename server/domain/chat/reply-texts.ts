/** Members whose text repeats another's, or is none of the model's. */
const UNCOUNTED = new Set(["role", "reasoning_details", "annotations", "logprobs"]);
/** Members of tool calls and parts that are identifiers, not generated text. */
const LABELS = new Set(["id", "type", "index", "format"]);

/**
 * Yields the texts of a message or a delta that a model has made: content, reasoning, tool calls and whatever else there
 * is.
 */
export function* listTexts(message: Record<string, unknown>): Generator<string> {
  // Some servers send the same text under both names.
  const repeatsReasoning = typeof message.reasoning_content === "string";
  for (const [name, value] of Object.entries(message)) {
    if (UNCOUNTED.has(name) || (repeatsReasoning && name === "reasoning")) continue;
    yield* listStrings(value);
  }
}

function* listStrings(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) if (!LABELS.has(name)) yield* listStrings(member);
  }
}
