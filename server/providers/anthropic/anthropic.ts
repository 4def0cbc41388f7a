import type { Provider } from "../provider";
import { checkRoute } from "./check";
import { completeChat, streamChat } from "./chat";
import { countTokens } from "./count-tokens";

/** Anthropic's Messages: chats of that dialect as they are, all others translated. */
export const anthropic: Provider = {
  defaultBaseUrl: "https://api.anthropic.com",
  speaks: (_route, dialect) => dialect === "messages",
  chat: completeChat,
  streamChat,
  countTokens,
  check: checkRoute,
};
