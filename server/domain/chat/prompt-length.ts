import type { Model } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { AppError, isAppError } from "../../errors";
import { isObject } from "../../lib/is-object";
import { estimateTokensOf } from "../../lib/estimate-tokens";
import { PROMPT_TOO_LONG } from "./chat-error";
import { MESSAGE_TOKENS } from "./count-prompt";
import type { ChatHub } from "./hub";
import type { ChatBody } from "./request";

type Json = Record<string, unknown>;

/** A picture of the largest size that providers do not scale down, and a page of a document of average size. */
const PICTURE_TOKENS = 1_600;
const BYTES_PER_PAGE = 50_000;
const PAGE_TOKENS = 2_000;

/** Returns about how many tokens the prompt of a chat has, with its pictures and documents. */
export async function estimatePrompt({ messages, tools, response_format }: ChatBody): Promise<number> {
  const list = messages as Json[];
  const mediaTokens = list.flatMap(partsOf).reduce((sum, part) => sum + countMedium(part), 0);
  const options = [tools, response_format].filter((option) => option !== undefined);
  return MESSAGE_TOKENS * (list.length + 1) + mediaTokens + (await estimateTokensOf(listTexts(list, options)));
}

const partsOf = ({ content }: Json): Json[] => (Array.isArray(content) ? content.filter(isObject) : []);

function countMedium({ type, file }: Json): number {
  if (type === "image_url") return PICTURE_TOKENS;
  if (type !== "file") return 0;
  const data = isObject(file) && typeof file.file_data === "string" ? file.file_data : "";
  return Math.max(1, Math.ceil(data.length / BYTES_PER_PAGE)) * PAGE_TOKENS;
}

function* listTexts(messages: Json[], options: unknown[]): Generator<string> {
  for (const option of options) yield JSON.stringify(option);
  for (const message of messages) {
    const { role, content, ...others } = message;
    yield String(role);
    if (typeof content === "string") yield content;
    for (const { text } of partsOf(message)) if (typeof text === "string") yield text;
    if (Object.keys(others).length > 0) yield JSON.stringify(others);
  }
}

/** Hardly any text has fewer bytes per token. */
const MIN_BYTES_PER_TOKEN = 2;
/** How far the estimate may be off: a prompt near the limit is left to the provider. */
const TOLERANCE = 1.1;

/**
 * Throws the 400 by which clients know that a prompt is longer than the model's context: they then compact the conversation.
 * A short prompt is not counted.
 */
export async function checkPromptLength(
  ctx: Ctx<ChatHub>,
  { pricing }: Pick<Model, "pricing">,
  chat: ChatBody,
): Promise<void> {
  const max = pricing.by === "token" ? pricing.contextLength : null;
  if (max === null || (await runBodyWork(ctx, () => lengthOf(chat))) < max * MIN_BYTES_PER_TOKEN) return;
  const tokens = await estimatePrompt(chat);
  if (tokens > max * TOLERANCE) throw promptTooLong(tokens, max);
}

function lengthOf({ messages, tools }: ChatBody): number {
  let length = 0;
  for (const text of listTexts(messages as Json[], tools ? [tools] : [])) length += text.length;
  return length;
}

/** Returns the 400 for a prompt that is longer than the model's context, in the words that Claude Code knows. */
export const promptTooLong = (tokens: number, max: number): AppError =>
  new AppError("invalid_input", `prompt is too long: ${tokens} tokens > ${max} maximum`, PROMPT_TOO_LONG);

/** Returns whether an error, of the hub or of a provider, says that the prompt is longer than the model's context. */
export const isPromptTooLong = (error: unknown): error is AppError =>
  isAppError(error) && error.extras.openai_code === PROMPT_TOO_LONG.openai_code;
