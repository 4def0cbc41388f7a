/** Chats: validation, calls of providers, streams, and the joins of retries. A chat holds its estimate and settles its cost. */
export { chatError } from "./answer";
export { buildChat } from "./build-chat";
export { completeChat } from "./complete-chat";
export { type Connection, watchConnection } from "./connection";
export { describeRouteFailure } from "./describe-route-failure";
export { type ChatHub, type ChatServices, createChatServices } from "./hub";
export { ChatAborted, drainChats, trackInFlight } from "./in-flight";
export { joinEarlier } from "./join-earlier";
export { trackWrite } from "./pending-writes";
export type { ChatBody, ChatRequest, ClientRequest } from "./request";
export { streamChat } from "./stream-chat";
