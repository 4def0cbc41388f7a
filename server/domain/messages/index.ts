/**
 * Anthropic's Messages: requests as they are for routes that speak them, and translated to chats for all others; answers and
 * streams in both cases; tokens of a prompt.
 */
export { countTokens } from "./count-tokens";
export { formatWholeMessage } from "./events";
export { prepareMessages } from "./prepare-messages";
export type { MessagesBody } from "./translate-request";
