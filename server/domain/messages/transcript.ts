import { NATIVE } from "../../providers/chat-call";
import { createTranscript as createChatTranscript, type Transcript } from "../chat";
import { createNativeTranscript } from "./native-transcript";

/** Creates the transcript of a stream, native or not. */
export function createTranscript(): Transcript {
  const chat = createChatTranscript();
  const native = createNativeTranscript();
  return {
    add(chunk) {
      chat.add(chunk);
      const event = chunk[NATIVE];
      if (event) native.add(event);
    },
    toCompletion(finishReason) {
      const completion = chat.toCompletion(finishReason);
      const message = native.toMessage(finishReason);
      return message ? { ...completion, [NATIVE]: message } : completion;
    },
  };
}
