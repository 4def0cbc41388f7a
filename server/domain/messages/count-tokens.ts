import type { Model } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { AppError } from "../../errors";
import { estimateTokensOf } from "../../lib/estimate-tokens";
import type { ChatBody } from "../chat";
import { getModel } from "../models";
import type { MessagesHub } from "./hub";
import { createTranslation, type Json } from "./translation";
import { type MessagesBody, translateRequest } from "./translate-request";

/** The tokens of a message's role and separators, and of the start of the answer. */
const MESSAGE_TOKENS = 4;
/** A picture of the largest size that providers do not scale down, and a page of a document of average size. */
const PICTURE_TOKENS = 1_600;
const BYTES_PER_PAGE = 50_000;
const PAGE_TOKENS = 2_000;

/** Returns about how many tokens the prompt of a request has. Throws 404 for an unknown model, and 400. */
export async function countTokens(ctx: Ctx<MessagesHub>, body: MessagesBody): Promise<number> {
  const model = getModel(ctx, body.model);
  const translation = createTranslation(model, { isEstimate: true, keepsMarks: false });
  return countChat(await runBodyWork(ctx, () => translateRequest(body, translation)));
}

async function countChat({ messages, tools, response_format }: ChatBody): Promise<number> {
  const list = messages as Json[];
  const media = list.flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []));
  const mediaTokens = media.reduce((sum, part) => sum + countMedium(part), 0);
  const options = [tools, response_format].filter((option) => option !== undefined);
  return MESSAGE_TOKENS * (list.length + 1) + mediaTokens + (await estimateTokensOf(listTexts(list, options)));
}

function countMedium({ type, file }: Json): number {
  if (type === "image_url") return PICTURE_TOKENS;
  if (type !== "file") return 0;
  const { file_data: data = "" } = file as { file_data?: string };
  return Math.max(1, Math.ceil(data.length / BYTES_PER_PAGE)) * PAGE_TOKENS;
}

function* listTexts(messages: Json[], options: unknown[]): Generator<string> {
  for (const option of options) yield JSON.stringify(option);
  for (const { role, content, ...others } of messages) {
    yield String(role);
    if (typeof content === "string") yield content;
    else if (Array.isArray(content))
      for (const { text } of content as Json[]) yield typeof text === "string" ? text : "";
    if (Object.keys(others).length > 0) yield JSON.stringify(others);
  }
}

/** How many bytes a token has at least, in hardly any text. */
const MIN_BYTES_PER_TOKEN = 2;
/** The estimate is about so exact; a prompt near the limit is left to the provider. */
const TOLERANCE = 1.1;

/**
 * Throws the 400 by which clients know that a prompt is longer than the model's context: they then compact the conversation.
 * A short prompt is not counted.
 */
export async function checkPromptLength(
  ctx: Ctx<MessagesHub>,
  { pricing }: Pick<Model, "pricing">,
  chat: ChatBody,
): Promise<void> {
  const max = pricing.by === "token" ? pricing.contextLength : null;
  if (max === null || (await runBodyWork(ctx, () => lengthOf(chat))) < max * MIN_BYTES_PER_TOKEN) return;
  const tokens = await countChat(chat);
  if (tokens > max * TOLERANCE) throw promptTooLong(tokens, max);
}

function lengthOf({ messages, tools }: ChatBody): number {
  let length = 0;
  for (const text of listTexts(messages as Json[], tools ? [tools] : [])) length += text.length;
  return length;
}

const promptTooLong = (tokens: number, max: number): AppError =>
  new AppError("invalid_input", `prompt is too long: ${tokens} tokens > ${max} maximum`);

/** How providers say that a prompt does not fit. */
const TOO_LONG = /context.?(?:length|window|size)|maximum context|too many (?:input )?tokens|prompt is too long/i;
const OWN_FORM = /prompt is too long: \d+ tokens > \d+ maximum/;

/** Returns the error of a provider for a prompt that is too long in the form that clients of Messages know. */
export async function toPromptTooLong(error: unknown, { pricing }: Model, chat: ChatBody): Promise<unknown> {
  if (!(error instanceof AppError) || error.code !== "provider_error" || error.status !== 400) return error;
  if (pricing.by !== "token" || pricing.contextLength === null) return error;
  if (!TOO_LONG.test(error.message) || OWN_FORM.test(error.message)) return error;
  const max = pricing.contextLength;
  return promptTooLong(Math.max(await countChat(chat), max + 1), max);
}
