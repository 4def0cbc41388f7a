import type { Hub } from "../domain/hub";
import { createAnthropicApp, isForAnthropicApi } from "./anthropic/app";
import { createOpenAiApp } from "./openai/app";
import type { Host } from "./request-context";

/** Returns the paths under `/v1` as one app: those of OpenAI's API and those of Anthropic's. */
export function createV1App(hub: Hub) {
  const openAi = createOpenAiApp(hub);
  const anthropic = createAnthropicApp(hub);
  return {
    fetch: (request: Request, env?: Host["Bindings"]): Response | Promise<Response> =>
      (isForAnthropicApi(request) ? anthropic : openAi).fetch(request, env),
  };
}
