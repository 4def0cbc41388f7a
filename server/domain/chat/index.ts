/**
 * Chats, whole or streamed: each is validated, holds its maximum cost, calls the model's routes and is charged what it used. A
 * retry joins the chat whose client has disconnected. Embeddings share these steps.
 */
export { chatError } from "./answer";
export { recordCall } from "./call-providers";
export { internalFailure } from "./call-routes";
export { completeChat } from "./complete-chat";
export { countChat } from "./count-chat";
export { type Connection, watchConnection } from "./connection";
export type {
  AnsweredChat,
  BilledUsage,
  ChatDialect,
  ChunkSender,
  NativeRequest,
  StreamedAnswer,
  Transcript,
} from "./dialect";
export { type EventStream, writeEvent } from "./event-stream";
export { findEarlier } from "./find-earlier";
export { insertChat } from "./hold-for-chat";
export { type ChatHub, type ChatServices, createChatServices } from "./hub";
export { ChatAborted, drainChats, trackInFlight } from "./in-flight";
export { trackWrite } from "./pending-writes";
export type { ChatBody, ClientRequest } from "./request";
export { createOpenAiDialect } from "./openai-dialect";
export { findSpeakers } from "./prepare-chat";
export { streamChat } from "./stream-chat";
export { createTranscript } from "./transcript";
