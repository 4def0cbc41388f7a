import type { ProviderKind } from "../catalogue/model";
import { completeChat } from "./openai/chat";
import type { Provider } from "./provider";
import { sandbox } from "./sandbox/sandbox";

/** The implementation of every provider kind that a catalogue may use. */
export const providers: Record<Exclude<ProviderKind, "worker">, Provider> = {
  sandbox,
  openai: { chat: completeChat },
};
