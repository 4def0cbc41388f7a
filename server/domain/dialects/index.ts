/**
 * How a chat speaks with its client: what a dialect is, the stream of events that it writes to, and OpenAI's own. See
 * docs/decisions/0107-dialects.md.
 */
export { parseClientCallId, toClientCallId } from "./call-ids";
export type {
  AnsweredChat,
  BilledUsage,
  ChatDialect,
  ChunkSender,
  NativeRequest,
  StreamedAnswer,
  Transcript,
} from "./dialect";
export { createEventStream, type EventStream, type StreamTimes, writeEvent } from "./event-stream";
export { formatDropped } from "./format-dropped";
export { createOpenAiDialect, unstreamedDialect } from "./openai-dialect";
export { serializeUsage } from "./response";
export { createTranscript } from "./transcript";
