import { isEmbeddingModel, type Model, type Route } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { checkInput } from "../model-inputs";
import { getModel } from "../models";
import { findRoutes, unsupportedParameters } from "../routing";
import type { ChatHub } from "./hub";
import { findFiles } from "./find-files";
import type { ChatBody, ChatRequest } from "./request";

/**
 * Validates a chat before anything is held. Throws, in this order, 404, 400, 410 and 503 `provider_error`. `extras` are
 * parameters beyond the body that its routes must support.
 */
export async function prepareChat(
  ctx: Ctx<ChatHub>,
  { model: id, ...input }: ChatBody,
  extras: Record<string, unknown> = {},
): Promise<ChatRequest> {
  const model = getModel(ctx, id);
  if (!model.isLlm) throw invalidInput("model", "is not a text model: call POST /api/v1/hub/generations");
  if (isEmbeddingModel(model)) throw invalidInput("model", "computes embeddings: call POST /v1/embeddings");
  await runBodyWork(ctx, () => checkInput(model, input, "body"));
  const checked = input as ChatRequest["input"];
  const files = await findFiles(ctx, model, checked.messages);
  const isLarge = Boolean(ctx.isLarge) || files.length > 0;
  const routes = findChatRoutes(ctx, model, { ...input, ...extras });
  return { model, input: checked, sent: ctx.sent ?? null, files, routes, isLarge };
}

function findChatRoutes(ctx: Ctx<ChatHub>, model: Model, input: Record<string, unknown>): Route[] {
  const available = findRoutes(ctx.hub, model);
  if (available.length === 0) throw new AppError("provider_error", "No provider serves this model right now.");
  const routes = available.filter((route) => unsupportedParameters(route, input).length === 0);
  if (routes.length > 0) return routes;
  const [name] = unsupportedParameters(available[0]!, input);
  throw invalidInput(name!, "is not supported by this model, or not with this value");
}

/** The member `stream_options` of a chat. */
export interface StreamOptions {
  /** As the client has sent it; the hub always asks upstream for usage too. */
  sent: Record<string, unknown>;
  includeUsage: boolean;
}

/** Separates the options of a stream from the input of its chat. Throws 400 for invalid options. */
export function readStreamOptions(body: ChatBody): { input: ChatBody; options: StreamOptions } {
  const input: ChatBody = { ...body };
  delete input.stream;
  delete input.stream_options;
  const sent = body.stream_options ?? {};
  if (typeof sent !== "object" || Array.isArray(sent)) throw invalidInput("stream_options", "must be an object");
  const { include_usage: includeUsage = false } = sent as Record<string, unknown>;
  if (typeof includeUsage !== "boolean") throw invalidInput("stream_options.include_usage", "must be true or false");
  return { input, options: { sent: sent as Record<string, unknown>, includeUsage } };
}
