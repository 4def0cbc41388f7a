import { chooseTool } from "./choose-tool";
import { describeImage } from "./describe-image";
import { type Chat, getImages, lastUserText, getText } from "./read-chat";
import { sampleValue } from "./sample";

export interface Reply {
  message: { role: "assistant"; content: string | null; tool_calls?: unknown[] };
  finishReason: "stop" | "tool_calls";
  /** What the reply's tokens are counted of. */
  countedText: string;
}

const QUOTED = 200;

/** What the sandbox says: a tool call, JSON or a sentence about the chat, by a fixed rule. */
export async function composeReply(chat: Chat): Promise<Reply> {
  const tool = chooseTool(chat);
  if (tool) {
    const call = { name: tool.name, arguments: JSON.stringify(sampleValue(tool.parameters)) };
    return {
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_sandbox", type: "function", function: call }],
      },
      finishReason: "tool_calls",
      countedText: call.name + call.arguments,
    };
  }
  const words = await say(chat);
  return { message: { role: "assistant", content: words }, finishReason: "stop", countedText: words };
}

async function say(chat: Chat): Promise<string> {
  const { type, json_schema } = chat.response_format ?? {};
  if (type === "json_schema" && json_schema) return JSON.stringify(sampleValue(json_schema.schema));
  const sentence = await describe(chat);
  return type === "json_object" ? JSON.stringify({ answer: sentence }) : sentence;
}

async function describe(chat: Chat): Promise<string> {
  const images = await Promise.all(chat.messages.flatMap(getImages).map(describeImage));
  const last = chat.messages.at(-1)!;
  const heard =
    last.role === "tool" ? `The tool says: ${quote(getText(last))}` : `You say: ${quote(lastUserText(chat))}`;
  return [heard, ...images.map((image) => `I see ${image}.`), "This is the sandbox; it answers by a fixed rule."].join(
    " ",
  );
}

const quote = (text: string) =>
  text.length > QUOTED ? `${text.slice(0, QUOTED).replace(/\p{Surrogate}$/u, "")}…` : text;
