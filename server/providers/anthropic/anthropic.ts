import type { Provider } from "../provider";
import { checkRoute } from "./check";
import { completeChat, streamChat } from "./chat";

/** Anthropic's Messages: chats of that dialect as they are, all others translated. */
export const anthropic: Provider = {
  defaultBaseUrl: "https://api.anthropic.com",
  speaks: (_route, dialect) => dialect === "messages",
  chat: completeChat,
  streamChat,
  check: checkRoute,
};
