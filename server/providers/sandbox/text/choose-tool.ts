import { type Chat, lastUserText } from "./read-chat";

type Tool = Chat["tools"][number]["function"];

/**
 * The tool that the sandbox calls: the one that `tool_choice` names; with `required` the one that the user's words
 * speak of, else the first; with `auto` only one that they speak of. None once a tool has answered.
 */
export function chooseTool(chat: Chat): Tool | undefined {
  const tools = chat.tools.map((tool) => tool.function);
  const { tool_choice: choice } = chat;
  if (typeof choice === "object") return tools.find(({ name }) => name === choice.name);
  if (choice === "none" || chat.messages.at(-1)?.role === "tool") return undefined;
  const spokenOf = tools.find(({ name }) => speaksOf(lastUserText(chat), name));
  return spokenOf ?? (choice === "required" ? tools[0] : undefined);
}

// "What is the weather?" speaks of get_weather and getWeather.
function speaksOf(text: string, name: string): boolean {
  const spoken = text.toLowerCase();
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return spoken.includes(name.toLowerCase()) || words.some((word) => word.length > 3 && spoken.includes(word));
}
