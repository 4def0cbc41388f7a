import type { Route } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import type { AppError } from "../../errors";
import type { Reservation } from "../../lib/byte-budget";
import type { ChatBody } from "../chat";
import { getModel } from "../models";
import { findRoutes } from "../routing";
import { createMessagesDialect, type MessagesDialect } from "./dialect";
import type { MessagesHub } from "./hub";
import { checkPromptLength, toPromptTooLong } from "./count-tokens";
import { buildNativeRequest } from "./native-request";
import { rejectUnpriced, splitBetas } from "./reject-unpriced";
import { createToolNames } from "./tool-names";
import { formatDropped, renamePlaces, type Translation } from "./translation";
import { type MessagesBody, translateRequest } from "./translate-request";

/** A request of Messages as the hub's chats take it. */
export interface PreparedMessages {
  body: ChatBody;
  dialect: MessagesDialect;
  /** Returns the names of what the answer's route did not get, for a header; null if it got everything. */
  dropped(): string | null;
  /** Returns an error of the chat as the client reads it: with the paths of its request. */
  translateError(error: unknown): Promise<unknown>;
}

interface Options {
  headers: Headers;
  /** Reserves memory for the account's files that the request names. */
  memory: Reservation;
  describeError: (error: AppError) => object;
}

/** Headers that Anthropic gets as the client has sent them. */
const FORWARDED = ["anthropic-version"];

/**
 * Prepares a request for all routes of its model: as it is for those that speak Messages, as a chat for the others. Throws 404,
 * and 400 with the path of what the hub has no price for or what a chat cannot express.
 */
export async function prepareMessages(
  ctx: Ctx<MessagesHub>,
  body: MessagesBody,
  { headers, memory, describeError }: Options,
): Promise<PreparedMessages> {
  const model = getModel(ctx, body.model);
  await runBodyWork(ctx, () => rejectUnpriced(body));
  const routes = findRoutes(ctx.hub, model);
  const speaking = routes.filter((route) => speaksMessages(ctx.hub, route));
  const hasNative = speaking.length > 0;
  const betas = splitBetas(headers.get("anthropic-beta"));
  const translation: Translation = {
    model,
    isEstimate: hasNative && speaking.length === routes.length,
    keepsMarks: hasNative,
    toolNames: createToolNames(),
    dropped: new Set(),
    places: new Map(),
  };
  const chat = await runBodyWork(ctx, () => translateRequest(body, translation));
  await checkPromptLength(model, chat);
  const forwarded = pickHeaders(headers, betas.passed);
  const native = hasNative ? await buildNativeRequest(ctx, body, forwarded, memory) : null;
  const dialect = createMessagesDialect({ native, toolNames: translation.toolNames, describeError });
  const droppedBetas = new Set(hasNative ? betas.dropped : []);
  return {
    body: chat,
    dialect,
    dropped: () => formatDropped(hasNative && !dialect.isTranslated() ? droppedBetas : translation.dropped),
    translateError: async (error) => toPromptTooLong(renamePlaces(error, translation.places), model, chat),
  };
}

const speaksMessages = ({ providers }: MessagesHub, route: Route): boolean =>
  providers[route.provider.kind]?.speaks?.(route, "messages") ?? false;

function pickHeaders(headers: Headers, betas: string[]): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = headers.get(name);
    if (value !== null) picked[name] = value;
  }
  if (betas.length > 0) picked["anthropic-beta"] = betas.join(",");
  return picked;
}
