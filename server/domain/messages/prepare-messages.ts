import { type Ctx, runBodyWork } from "../../context";
import { AppError, isAppError } from "../../errors";
import { isObject } from "../../lib/is-object";
import { type ChatBody, checkPromptLength, findSpeakers } from "../chat";
import { formatDropped } from "../dialects";
import { getModel } from "../models";
import { createMessagesDialect, type MessagesDialect } from "./dialect";
import { forwardHeaders } from "./forwarded-headers";
import type { MessagesHub } from "./hub";
import { toPromptTooLong } from "./count-tokens";
import { toNativeRequest } from "./native-request";
import { rejectUnpriced } from "./reject-unpriced";
import { createTranslation, renamePlaces, type Translation } from "./translation";
import { type MessagesBody, translateRequest } from "./translate-request";

/** A request of Messages as the hub's chats take it. */
interface PreparedMessages {
  body: ChatBody;
  dialect: MessagesDialect;
  /** Returns the names of what the answer's route did not get, for a header; null if it got everything. */
  dropped(): string | null;
  /** Returns an error of the chat as the client reads it: with the paths of its request. */
  translateError(error: unknown): Promise<unknown>;
}

interface Options {
  headers: Headers;
  describeError: (error: AppError) => object;
}

/**
 * Prepares a request for all routes of its model: unchanged for routes that speak Messages, translated to a chat for the others.
 * Throws 404, and 400 with the path of what the hub has no price for or what a chat cannot express.
 */
export async function prepareMessages(
  ctx: Ctx<MessagesHub>,
  body: MessagesBody,
  { headers, describeError }: Options,
): Promise<PreparedMessages> {
  const model = getModel(ctx, body.model);
  await runBodyWork(ctx, () => rejectUnpriced(body));
  const { native: hasNative, translated: needsChat } = findSpeakers(ctx, body.model, "messages");
  const translation = createTranslation(model, { isEstimate: hasNative && !needsChat, keepsMarks: hasNative });
  const chat = await runBodyWork(ctx, () => translateOrEstimate(body, translation));
  await checkPromptLength(ctx, model, chat);
  const { forwarded, droppedBetas } = forwardHeaders(headers);
  const others = { sent: ctx.sent ?? null, headers: forwarded, untranslated: translation.untranslated };
  const native = hasNative ? await runBodyWork(ctx, () => toNativeRequest(body, others)) : null;
  const { toolNames, isEstimate: needsNative } = translation;
  const conversation = findConversation(headers, body);
  const stops = Array.isArray(body.stop_sequences) ? (body.stop_sequences as unknown[]) : [];
  const dialect = createMessagesDialect({ native, needsNative, conversation, toolNames, stops, describeError });
  return {
    body: chat,
    dialect,
    dropped: () => formatDropped(hasNative && !dialect.isTranslated() ? new Set(droppedBetas) : translation.dropped),
    async translateError(thrown) {
      const error = renamePlaces(thrown, translation.places);
      return withLink(ctx.hub, await toPromptTooLong(error, model, chat));
    },
  };
}

const MAX_NAME_LENGTH = 1_024;

/** Returns the client's id of its conversation: a header, or the `user_id` in which Claude Code names its session. */
function findConversation(headers: Headers, { metadata }: MessagesBody): string | null {
  const affinity = headers.get("x-session-affinity");
  if (affinity !== null) return affinity;
  const id = isObject(metadata) ? metadata.user_id : undefined;
  return typeof id === "string" && id.length <= MAX_NAME_LENGTH && id.includes("session") ? id : null;
}

/** Returns an error for missing credit with the page on which people add it: agents show the message to their users. */
function withLink({ env }: MessagesHub, error: unknown): unknown {
  if (!isAppError(error) || error.code !== "insufficient_credits") return error;
  const message = `${error.message} See ${env.BASE_URL}/balance`;
  return new AppError(error.code, message, error.extras, error.headers, error.status);
}

/**
 * Returns the chat of a request. If a chat cannot express the request but a route takes it unchanged, the chat is only for the
 * estimate.
 */
function translateOrEstimate(body: MessagesBody, translation: Translation): ChatBody {
  try {
    return translateRequest(body, translation);
  } catch (error) {
    if (translation.isEstimate || !translation.keepsMarks || !isAppError(error)) throw error;
    translation.isEstimate = true;
    translation.places.clear();
    translation.untranslated = [];
    return translateRequest(body, translation);
  }
}
