import type { Provider } from "../provider";
import { completeChat } from "./chat";

/** Any server with OpenAI's API. */
export const openai: Provider = { chat: completeChat };
