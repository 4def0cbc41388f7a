type Input = Record<string, unknown>;

/** A parameter whose values differ; undefined where an input has none. */
export interface Difference {
  name: string;
  before: unknown;
  after: unknown;
}

/** A text that differs. */
interface TextDifference extends Difference {
  before: string;
  after: string;
}

/** How many texts are compared word by word: an input may have hundreds, and each takes milliseconds. */
const MAX_TEXTS = 3;

/** Returns the texts of two inputs that differ, the prompt first, and their other differing parameters. */
export function compareInputs(before: Input, after: Input): { texts: TextDifference[]; others: Difference[] } {
  const names = [...new Set(["prompt", ...Object.keys(before), ...Object.keys(after)])];
  const differences = names
    .map((name) => ({ name, before: valueOf(before, name), after: valueOf(after, name) }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
  const texts = differences.filter(isText).slice(0, MAX_TEXTS);
  const compared = new Set(texts.map(({ name }) => name));
  return { texts, others: differences.filter(({ name }) => !compared.has(name)) };
}

const valueOf = (input: Input, name: string): unknown =>
  name === "messages" && Array.isArray(input.messages) ? input.messages.map(formatMessage).join("\n\n") : input[name];

/** Returns whether both values are texts, of which one has several words. */
function isText(difference: Difference): difference is TextDifference {
  const { before, after } = difference;
  return typeof before === "string" && typeof after === "string" && /\S\s+\S/.test(`${before}\n${after}`);
}

/** Returns a message of a chat as text, whatever its shape. */
function formatMessage(message: unknown): string {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown };
  return `${String(role)}: ${typeof content === "string" ? content : JSON.stringify(content)}`;
}
