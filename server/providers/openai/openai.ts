import type { Provider } from "../provider";
import { completeChat } from "./chat";

/** Any server that speaks OpenAI's language. */
export const openai: Provider = { chat: completeChat };
