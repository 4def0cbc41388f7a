import type { Provider } from "../provider";
import { completeChat } from "./chat";
import { streamChat } from "./stream-chat";
import { checkRoute } from "./check";
import { computeEmbeddings } from "./embeddings";
import { submitJob, SUBMIT_TIMEOUT_MS } from "./submit";

/** Any server with OpenAI's API: chat, embeddings, and jobs for pictures, speech and transcription. */
export const openai: Provider = {
  speaks: (route, dialect) => dialect === "responses" && route.responses,
  chat: completeChat,
  embed: computeEmbeddings,
  streamChat,
  submit: submitJob,
  submitTimeoutMs: SUBMIT_TIMEOUT_MS,
  // Pictures to edit and recordings are sent as files; other parameters can be links or data URIs.
  inputModes: ["read", "link", "inline"],
  check: checkRoute,
};
