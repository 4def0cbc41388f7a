import type { Hono } from "hono";
import type { Hub } from "../../domain/hub";
import { createBaseApp, rejectOtherMethods } from "../base-app";
import { registerOperation } from "../openai/route";
import type { Host } from "../request-context";
import { createOperationHandler } from "../serve";
import { countMessageTokens } from "./count-tokens";
import { createMessage } from "./messages";
import { getAnthropicModel, listAnthropicModels } from "./models";
import { describeMessagesApi } from "./openapi";

const MESSAGES_URL = /^https?:\/\/[^/]*\/v1\/messages(?:[/?]|$)/i;
const MODELS_URL = /^https?:\/\/[^/]*\/v1\/models(?:[/?]|$)/i;

/**
 * Returns whether a request is for Anthropic's API. Models have the same path in OpenAI's API, so the version header decides.
 */
export const isForAnthropicApi = ({ url, headers }: Request): boolean =>
  MESSAGES_URL.test(url) || (headers.has("anthropic-version") && MODELS_URL.test(url));

/** Returns Anthropic's API of a hub under `/v1` as a web-standard app, like OpenAI's. */
export function createAnthropicApp(hub: Hub): Hono<Host> {
  const app = createBaseApp(hub, { envelope: "messages", describeNearest: () => NEAREST });
  for (const operation of [createMessage, countMessageTokens]) {
    registerOperation(app, hub, operation);
    rejectMethods(app, hub, operation.path, "POST");
  }
  for (const [path, operation] of [
    ["/v1/models", listAnthropicModels],
    ["/v1/models/:id{.+}", getAnthropicModel],
    [describeMessagesApi.path, describeMessagesApi],
  ] as const) {
    app.get(path, createOperationHandler(hub, operation));
    rejectMethods(app, hub, path, "GET, HEAD");
  }
  return app;
}

const NEAREST = `${describeMessagesApi.path} lists the paths that work.`;

function rejectMethods(app: Hono<Host>, hub: Hub, path: string, allow: string): void {
  rejectOtherMethods(app, hub, path, { allow, envelope: "messages", message: `This path supports ${allow}.` });
}
