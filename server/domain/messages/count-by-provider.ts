import type { Model, Route } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { isAppError } from "../../errors";
import type { CountCall } from "../../providers/chat-call";
import { findAttachments } from "../attachments";
import { chooseUpstreamModel, findRoutes, toUpstreamInput } from "../routing";
import { forwardHeaders } from "./forwarded-headers";
import type { MessagesHub } from "./hub";
import { toNativeRequest } from "./native-request";
import { rejectUnpriced } from "./reject-unpriced";
import { createTranslation } from "./translation";
import { type MessagesBody, translateRequest } from "./translate-request";

export interface CountOptions {
  headers: Headers;
  signal: AbortSignal;
}

/**
 * Returns the tokens of a prompt as the provider of the model's first route counts them; null if it does not, or if it would not
 * get the request as it is, for example because the hub inserts the contents of files.
 */
export async function countByProvider(
  ctx: Ctx<MessagesHub>,
  { model, body }: { model: Model; body: MessagesBody },
  { headers, signal }: CountOptions,
): Promise<number | null> {
  const [route] = findRoutes(ctx.hub, model);
  if (!route) return null;
  const provider = ctx.hub.providers[route.provider.kind];
  if (!provider?.countTokens) return null;
  const isNative = provider.speaks?.(route, "messages") ?? false;
  const prompt = await runBodyWork(ctx, () => (isNative ? toNativePrompt(model, body) : toChat(model, route, body)));
  if (!prompt) return null;
  const call: CountCall = {
    dialect: isNative ? "messages" : "chat",
    body: { ...prompt, model: chooseUpstreamModel(route, prompt) || route.id },
    ...(isNative && { headers: forwardHeaders(headers).forwarded }),
    route,
    isLarge: Boolean(ctx.isLarge),
    json: ctx.hub.json,
  };
  return provider.countTokens(call, signal);
}

/** Returns the client's own request; null if it names files, which the hub checks and reads only for an answer. */
function toNativePrompt(model: Model, body: MessagesBody): Record<string, unknown> | null {
  return ifAccepted(() => {
    rejectUnpriced(body);
    const { messages } = translateRequest(body, createTranslation(model, { isEstimate: true, keepsMarks: false }));
    if (findAttachments(messages).some(({ source }) => source?.by !== "data")) return null;
    return toNativeRequest(body, { sent: null, headers: {}, untranslated: [] }).body;
  });
}

/** Returns the chat that the route gets for a request; null if it has files that the hub would turn into texts or pictures. */
function toChat(model: Model, route: Route, body: MessagesBody): Record<string, unknown> | null {
  return ifAccepted(() => {
    const chat = translateRequest(body, createTranslation(model, { isEstimate: false, keepsMarks: false }));
    const isPlain = findAttachments(chat.messages).every(
      ({ medium, source }) => medium === "image" && source?.by !== "id",
    );
    return isPlain ? toUpstreamInput(route, chat) : null;
  });
}

/** Returns null for a request that the hub would reject as a message. */
function ifAccepted<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isAppError(error)) return null;
    throw error;
  }
}
