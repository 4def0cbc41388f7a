import { isEmbeddingModel, type Model, type Route } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { checkInput, findUnbounded, rejectInput } from "../model-inputs";
import type { DialectName } from "../../providers/chat-call";
import { getModel } from "../models";
import { typicalTokenCost } from "../pricing";
import { findRoutes, sortRoutes, unsupportedParameters } from "../routing";
import type { ChatDialect } from "../dialects";
import type { ChatHub } from "./hub";
import { findFiles, listFileTokens } from "./find-files";
import { withoutPricedMembers } from "./native-members";
import type { ChatBody, ChatRequest } from "./request";
import { type Conversation, findConversation } from "./sticky-routes";

/**
 * Validates a chat before anything is held. Throws, in this order, 404, 400, 410 and 503 `provider_error`. `extras` are
 * parameters beyond the body that its routes must support.
 */
export async function prepareChat(
  ctx: Ctx<ChatHub>,
  { model: id, ...input }: ChatBody,
  dialect: ChatDialect,
  extras: Record<string, unknown> = {},
): Promise<ChatRequest> {
  const model = getModel(ctx, id);
  if (!model.isLlm) throw invalidInput("model", "is not a text model: call POST /api/v1/hub/generations");
  if (isEmbeddingModel(model)) throw invalidInput("model", "computes embeddings: call POST /v1/embeddings");
  await runBodyWork(ctx, () => checkInput(model, input, "body"));
  const checked = input as ChatRequest["input"];
  const files = await findFiles(ctx, model, checked.messages);
  const unbounded = await runBodyWork(ctx, () => findUnbounded(model, checked.messages, listFileTokens(files)));
  if (unbounded.length > 0) rejectInput("body", unbounded);
  const isLarge = Boolean(ctx.isLarge) || files.length > 0;
  const available = findChatRoutes(ctx, model, { ...input, ...extras }, dialect);
  const conversation = available.length > 1 ? findConversation(ctx, dialect.conversation ?? null, checked) : null;
  const order = orderRoutes(ctx.hub, model, available, conversation);
  return {
    model,
    dialect,
    input: checked,
    sent: ctx.sent ?? null,
    files,
    ...order,
    conversation,
    isLarge,
    wasSentNative: false,
  };
}

/** Returns routes in the order of the model's routing, except that the one that last served the conversation comes first. */
function orderRoutes(
  hub: ChatHub,
  { id: model, routing }: Model,
  available: Route[],
  conversation: Conversation | null,
): Pick<ChatRequest, "routes" | "reason"> {
  const cost = (route: Route) => typicalTokenCost(hub, model, route);
  const sorted = sortRoutes(hub, { model: { id: model, routing, routes: available }, id: newId(), cost });
  const preferred = conversation && hub.services.stickyRoutes.order(conversation, sorted.routes);
  return preferred && preferred !== sorted.routes ? { routes: preferred, reason: "sticky" } : sorted;
}

function findChatRoutes(
  { hub }: Ctx<ChatHub>,
  model: Model,
  input: Record<string, unknown>,
  dialect: ChatDialect,
): Route[] {
  const takesNative = (route: Route) => dialect.native !== null && speaks(hub, route, dialect.name);
  const available = findRoutes(hub, model).filter((route) => !dialect.needsNative || takesNative(route));
  if (available.length === 0) throw new AppError("provider_error", "No provider serves this model right now.");
  const translated = withoutPricedMembers(input, dialect.native);
  const findUnsupported = (route: Route) =>
    takesNative(route) ? refusedMembers(route, dialect.native!.body) : unsupportedParameters(route, translated);
  const routes = available.filter((route) => findUnsupported(route).length === 0);
  if (routes.length > 0) return routes;
  const [name] = findUnsupported(available[0]!);
  throw invalidInput(name!, "is not supported by this model, or not with this value");
}

/** Returns the members of a client's own request that this route rejects. Null and an empty list ask for nothing. */
const refusedMembers = ({ refuse }: Pick<Route, "refuse">, body: Record<string, unknown>): string[] =>
  refuse.filter((name) => {
    const value = Object.hasOwn(body, name) ? (body[name] ?? []) : [];
    return !Array.isArray(value) || value.length > 0;
  });

/** Returns whether a route takes chats in a dialect as they are. */
export const speaks = ({ providers }: Pick<ChatHub, "providers">, route: Route, dialect: DialectName): boolean =>
  providers[route.provider.kind]?.speaks?.(route, dialect) ?? false;

/** Returns which routes a model has now: those that take a dialect as it is, and those that need a translation. Throws 404. */
export function findSpeakers(
  ctx: Ctx<ChatHub>,
  id: string,
  dialect: DialectName,
): { native: boolean; translated: boolean } {
  const routes = findRoutes(ctx.hub, getModel(ctx, id));
  const native = routes.filter((route) => speaks(ctx.hub, route, dialect)).length;
  return { native: native > 0, translated: native < routes.length };
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
