import type { AppError } from "../../errors";
import { type Completion, NATIVE } from "../../providers/chat-call";
import type { ChatDialect, NativeRequest } from "../dialects";
import { buildMessage, type ClientNames } from "./answer";
import { formatWholeMessage } from "./events";
import { createSender } from "./sender";
import { createTranscript } from "./transcript";

/** The dialect of one request of Messages. */
export interface MessagesDialect extends ChatDialect {
  name: "messages";
  /** Whether the answer came from a route that does not speak Messages; false until that is known. */
  isTranslated(): boolean;
}

interface Options extends ClientNames {
  native: NativeRequest | null;
  /** Whether the request cannot be translated. */
  needsNative: boolean;
  conversation: string | null;
  /** Returns the members of the event by which a stream ends with an error. */
  describeError: (error: AppError) => object;
}

/** Creates the dialect of one request, in which its tools may have other names than in the chat. */
export function createMessagesDialect({
  native,
  needsNative,
  conversation,
  toolNames,
  stops,
  describeError,
}: Options): MessagesDialect {
  let isTranslated = false;
  const onTranslate = () => void (isTranslated = true);
  return {
    name: "messages",
    native,
    needsNative,
    conversation,
    clampsOutput: true,
    isTranslated: () => isTranslated,
    createSender: (chat, stream) => createSender({ chat, stream, toolNames, stops, describeError, onTranslate }),
    createTranscript,
    buildAnswer(completion: Completion, chat, usage) {
      if (!completion[NATIVE]) onTranslate();
      return buildMessage(completion, chat, usage, { toolNames, stops });
    },
    replay: (answer, _chat, stream) => stream.end(formatWholeMessage(answer)),
  };
}
