/**
 * Chats, whole or streamed: each is validated, holds its maximum cost, calls the model's routes and is charged what it used. A
 * retry joins the chat whose client has disconnected. Embeddings share these steps.
 */
export { chatError } from "./chat-error";
export { callInTurn, type CallOutcome } from "./call-in-turn";
export { internalFailure } from "./call-routes";
export { completeChat } from "./complete-chat";
export { countChat } from "./count-chat";
export { type Connection, watchConnection } from "./connection";
export { findEarlier } from "./find-earlier";
export { insertChat } from "./hold-for-chat";
export { type ChatHub, type ChatServices, createChatServices } from "./hub";
export { ChatAborted, drainChats, trackInFlight } from "./in-flight";
export { trackWrite } from "./pending-writes";
export type { ChatBody, ClientRequest } from "./request";
export { findSpeakers } from "./prepare-chat";
export { checkPromptLength, estimatePrompt, isPromptTooLong, promptTooLong } from "./prompt-length";
export { streamChat } from "./stream-chat";
