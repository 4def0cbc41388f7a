import { type Chat, getLastUserText } from "./read-chat";

type Tool = Chat["tools"][number]["function"];

/**
 * Returns the tool that the sandbox calls: the one in `tool_choice`; with `required` the one that the user's message
 * mentions, else the first; with `auto` only a mentioned one. Returns undefined after a tool has responded.
 */
export function chooseTool(chat: Chat): Tool | undefined {
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
