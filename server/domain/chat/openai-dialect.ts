import type { AppError } from "../../errors";
import { type Completion, completionToChunk } from "../../providers/chat-call";
import { buildResponse } from "./answer";
import type { ChatDialect } from "./dialect";
import { writeEvent } from "./event-stream";
import { createChunkSender } from "./send-chunks";
import { createTranscript } from "./transcript";

/** Returns the dialect of OpenAI's chat completions. `describeError` returns the error of the event that ends a stream. */
export const createOpenAiDialect = (
  describeError: (error: AppError) => object,
  conversation: string | null = null,
): ChatDialect => ({
  name: "chat",
  native: null,
  conversation,
  clampsOutput: false,
  createSender: (chat, stream) => createChunkSender(chat, stream, describeError),
  createTranscript,
  buildAnswer: buildResponse,
  replay(answer, _chat, stream) {
    const chunk = { ...completionToChunk(answer as Completion), object: "chat.completion.chunk" };
    stream.end(`${writeEvent(chunk)}data: [DONE]\n\n`);
  },
});

/** The dialect of chats that are never streamed. */
export const unstreamedDialect = createOpenAiDialect((error) => ({ message: error.message }));
