import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createImageModel } from "./ai-image-model.js";
import { GenerationHub } from "./client.js";
import { ApiError } from "./errors.js";
import { createHttp, type Fetch, type HubOptions } from "./http.js";

export interface ProviderOptions extends HubOptions {
  /** The path of OpenAI's API at the hub: "/v1" by default. */
  openaiPath?: string;
}

const DEFAULT_OPENAI_PATH = "/v1";
const CHAT_TIMEOUT_MS = 10 * 60_000;
const PROVIDER_NAME = "generation-hub";

/** Creates a provider of the AI SDK: `hub("model")` chats, `hub.imageModel("model")` draws. */
export function createGenerationHub(options: ProviderOptions) {
  const openai = createOpenAICompatible({
    name: PROVIDER_NAME,
    baseURL: `${options.baseUrl.replace(/\/+$/, "")}${options.openaiPath ?? DEFAULT_OPENAI_PATH}`,
    // The key is added by the fetch below.
    fetch: createChargedOnceFetch(options),
    supportsStructuredOutputs: true,
    includeUsage: true,
  });
  const hub = new GenerationHub(options);
  const languageModel = (modelId: string) => openai.languageModel(modelId);
  const imageModel = (modelId: string) => createImageModel(hub, PROVIDER_NAME, modelId);
  return Object.assign((modelId: string) => languageModel(modelId), {
    specificationVersion: "v3" as const,
    languageModel,
    imageModel,
    embeddingModel: (modelId: string) => openai.embeddingModel(modelId),
  });
}

/**
 * Returns a fetch that repeats a request under one idempotency key. Each retry of the AI SDK itself is a new request to
 * the hub, which would be charged again. It therefore sees only errors that certainly cost nothing (4xx); after any
 * other, which may have been charged, a HubError is thrown, which it does not retry.
 */
function createChargedOnceFetch(options: ProviderOptions): typeof fetch {
  const http = createHttp({ ...options, timeoutMs: options.timeoutMs ?? CHAT_TIMEOUT_MS });
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const send: Fetch = async (url, init = {}) => {
    const { method = "GET", body, signal } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const idempotencyKey = headers["idempotency-key"] ?? crypto.randomUUID();
    const path = url.slice(baseUrl.length);
    const request = { method, path, body: body ?? undefined, headers, idempotencyKey, signal: signal ?? undefined };
    try {
      return await http.send({ ...request, waitsInProgress: true });
    } catch (error) {
      // The AI SDK turns this response into its own APICallError.
      if (error instanceof ApiError && error.status < 500) return new Response(error.body, { status: error.status });
      throw error;
    }
  };
  return (url, init) => send(typeof url === "object" && "url" in url ? url.url : String(url), init);
}
