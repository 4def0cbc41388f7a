import type { Provider } from "../provider";
import { completeChat } from "./chat";

/** A provider for any OpenAI-compatible server. */
export const openai: Provider = { chat: completeChat };
