import { NATIVE } from "../../providers/chat-call";
import {
  type AnsweredChat,
  type ChatDialect,
  type ChunkSender,
  createTranscript,
  type EventStream,
  type Transcript,
} from "../dialects";
import { type Answer, type AnswerOptions, createAnswer } from "./answer";
import type { Json } from "./json";
import { createEventSender, endOf, formatWholeResponse } from "./send-events";

/** The dialect of one request of Responses. */
interface ResponsesDialect extends ChatDialect {
  name: "responses";
  /** Whether the answer came from a route that does not have Responses; false until that is known. */
  isTranslated(): boolean;
}

interface Options extends Pick<ChatDialect, "native" | "needsNative" | "storesNothing"> {
  answer: AnswerOptions;
  /** Stores a response with its reasoning; null if it is not stored. */
  store: ((response: Json, chat: AnsweredChat) => Promise<void>) | null;
}

/** Creates the dialect of one request. */
export function createResponsesDialect({
  native,
  needsNative,
  storesNothing,
  store,
  answer: options,
}: Options): ResponsesDialect {
  const answer = createAnswer(options);
  return {
    name: "responses",
    native,
    needsNative,
    storesNothing,
    clampsOutput: true,
    isTranslated: () => answer.isTranslated(),
    createSender: (chat, stream) => createResponseSender(answer, chat, stream),
    createTranscript: () => createResponseTranscript(answer),
    buildAnswer: (completion, chat, usage) => answer.build(completion, chat, usage),
    replay: (stored, _chat, stream) => stream.end(formatWholeResponse(stored)),
    ...(store && { store: (shown, chat) => store(answer.whole() ?? shown, chat) }),
  };
}

function createResponseSender(answer: Answer, chat: AnsweredChat, stream: EventStream): ChunkSender {
  const sender = createEventSender(stream, answer.begin(chat));
  return {
    send: (chunk, signal) => sender.send(answer.read(chunk), signal),
    finish(finish_reason, usage) {
      const closing = answer.end(finish_reason);
      const completion = { choices: [{ index: 0, message: {}, finish_reason }] };
      sender.end([...closing, endOf(answer.build(completion, chat, usage))]);
    },
    fail: (error) => sender.fail(error, answer.items()),
  };
}

/** Returns the transcript of a chat whose sender reads the same chunks. */
function createResponseTranscript(answer: Answer): Transcript {
  const chat = createTranscript();
  return {
    add(chunk) {
      chat.add(chunk);
      answer.read(chunk);
    },
    toCompletion(finish_reason) {
      const completion = chat.toCompletion(finish_reason);
      const native = answer.native();
      return {
        ...completion,
        ...(native && { [NATIVE]: native }),
        // The output is whole, although the transcript may be cut.
        choices: completion.choices.map((choice) => ({ ...choice, finish_reason })),
      };
    },
  };
}
