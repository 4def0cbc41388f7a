import { cutText } from "../../../lib/cut-text";
import { isPicture, readPicture } from "../../../lib/pictures/picture";
import { type Chat, getImages, getLastUserText, getText } from "./read-chat";
import { sampleValue } from "./sample";

export interface Reply {
  message: { role: "assistant"; content: string | null; tool_calls?: unknown[] };
  finishReason: "stop" | "tool_calls";
  /** The text whose tokens are billed. */
  countedText: string;
}

const MAX_QUOTE_LENGTH = 200;

/** Returns the sandbox's deterministic reply: a tool call, JSON or a sentence about the chat. */
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
  const words = await composeText(chat);
  return { message: { role: "assistant", content: words }, finishReason: "stop", countedText: words };
}

async function composeText(chat: Chat): Promise<string> {
  const { type, json_schema } = chat.response_format ?? {};
  if (type === "json_schema" && json_schema) return JSON.stringify(sampleValue(json_schema.schema));
  const sentence = await describeChat(chat);
  return type === "json_object" ? JSON.stringify({ answer: sentence }) : sentence;
}

async function describeChat(chat: Chat): Promise<string> {
  const images = await Promise.all(chat.messages.flatMap(getImages).map(describeImage));
  const last = chat.messages.at(-1)!;
  const opening =
    last.role === "tool"
      ? `The tool says: ${quoteText(getText(last))}`
      : `You say: ${quoteText(getLastUserText(chat))}`;
  return [
    opening,
    ...images.map((image) => `I see ${image}.`),
    "This is the sandbox; its replies are deterministic.",
  ].join(" ");
}

const quoteText = (text: string) => (text.length > MAX_QUOTE_LENGTH ? `${cutText(text, MAX_QUOTE_LENGTH)}…` : text);

const DATA_URL = /^data:[^,]*;base64,/i;
const MAX_URL_LENGTH = 30_000_000;

/** Returns a short description of an image. Only data: URLs are read; the sandbox makes no network requests. */
async function describeImage(url: string): Promise<string> {
  const head = DATA_URL.exec(url)?.[0];
  if (head === undefined || url.length > MAX_URL_LENGTH) return "an image that I do not open";
  const content = Buffer.from(url.slice(head.length), "base64");
  if (!isPicture(content)) return "something that is no picture";
  try {
    const { format, width, height } = (await readPicture(content)).header;
    return `a ${format} picture of ${width} × ${height} pixels`;
  } catch {
    return "a broken picture";
  }
}

type Tool = Chat["tools"][number]["function"];

/**
 * Returns the tool that the sandbox calls: the one in `tool_choice`; with `required` the one that the user's message
 * mentions, else the first; with `auto` only a mentioned one. Returns undefined after a tool has responded.
 */
function chooseTool(chat: Chat): Tool | undefined {
  const tools = chat.tools.map((tool) => tool.function);
  const { tool_choice: choice } = chat;
  if (typeof choice === "object") return tools.find(({ name }) => name === choice.name);
  if (choice === "none" || chat.messages.at(-1)?.role === "tool") return undefined;
  const mentioned = tools.find(({ name }) => mentionsTool(getLastUserText(chat), name));
  return mentioned ?? (choice === "required" ? tools[0] : undefined);
}

// "What is the weather?" mentions get_weather and getWeather.
function mentionsTool(text: string, name: string): boolean {
  const lowerCaseText = text.toLowerCase();
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return (
    lowerCaseText.includes(name.toLowerCase()) || words.some((word) => word.length > 3 && lowerCaseText.includes(word))
  );
}
