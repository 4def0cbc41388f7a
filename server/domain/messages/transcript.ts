import { NATIVE, STOP_SEQUENCE } from "../../providers/chat-call";
import { createTranscript as createChatTranscript, type Transcript } from "../dialects";
import { createNativeTranscript } from "./native-transcript";

/** Creates the transcript of a stream, native or not. */
export function createTranscript(): Transcript {
  const chat = createChatTranscript();
  const native = createNativeTranscript();
  let stopSequence: string | undefined;
  return {
    add(chunk) {
      chat.add(chunk);
      stopSequence ??= chunk.choices[0]?.[STOP_SEQUENCE];
      const event = chunk[NATIVE];
      if (event) native.add(event);
    },
    toCompletion(finishReason) {
      const completion = chat.toCompletion(finishReason);
      const message = native.toMessage(finishReason);
      if (message) return { ...completion, [NATIVE]: message };
      return {
        ...completion,
        choices: completion.choices.map((choice) => ({ ...choice, [STOP_SEQUENCE]: stopSequence })),
      };
    },
  };
}
