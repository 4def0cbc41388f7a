import { mapObjects } from "../../lib/is-object";
import type { ChatCall } from "../chat-call";
import { isInstruction, markInstruction } from "../instruction";

type Json = Record<string, unknown>;

/**
 * Returns the body of a chat for a route whose model takes one system message, at the beginning: the first ones become one,
 * and each later one a marked message of the user. For other routes it is the body as it is. The body's text is null if it
 * was changed.
 */
export function withSingleSystem({ body, text, route }: Pick<ChatCall, "body" | "text" | "route">) {
  const { messages } = body;
  if (!route.singleSystem || !Array.isArray(messages) || messages.every(isInPlace)) return { body, text };
  const [first, turns]: [Json[], unknown[]] = [[], []];
  for (const message of messages as unknown[]) {
    if (!isInstruction(message)) turns.push(message);
    else if (turns.length === 0) first.push(message);
    else turns.push({ ...message, role: "user", content: markContent(message.content) });
  }
  const system = first.length > 0 ? [{ ...first[0], role: "system", content: joinContents(first) }] : [];
  return { body: { ...body, messages: [...system, ...turns] }, text: null };
}

const isInPlace = (message: unknown, index: number): boolean =>
  !isInstruction(message) || (index === 0 && message.role === "system");

function joinContents(instructions: Json[]): unknown {
  const contents = instructions.map(({ content }) => content);
  if (contents.every((content) => typeof content === "string")) return contents.join("\n\n");
  return contents.flatMap((content) => (typeof content === "string" ? [{ type: "text", text: content }] : content));
}

const markContent = (content: unknown): unknown =>
  typeof content === "string" ? markInstruction(content) : mapObjects(content, markPart);

const markPart = (part: Json): Json =>
  typeof part.text === "string" ? { ...part, text: markInstruction(part.text) } : part;
