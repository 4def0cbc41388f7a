import type { Model } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { invalidInput } from "../../errors";
import { type ChatBody, estimatePrompt, isPromptTooLong, promptTooLong } from "../chat";
import { getModel } from "../models";
import { countByProvider, type CountOptions } from "./count-by-provider";
import type { MessagesHub } from "./hub";
import { createTranslation } from "./translation";
import { type MessagesBody, translateRequest } from "./translate-request";

/**
 * Returns how many tokens the prompt of a request has, counted by the provider of the model's first route or else estimated.
 * Throws 404 for an unknown model, and 400.
 */
export async function countTokens(ctx: Ctx<MessagesHub>, body: MessagesBody, options: CountOptions): Promise<number> {
  const model = getModel(ctx, body.model);
  const counted = await countByProvider(ctx, { model, body }, options);
  if (counted !== null) return counted;
  const translation = createTranslation(model, { isEstimate: true, keepsMarks: false });
  return estimatePrompt(await runBodyWork(ctx, () => translateRequest(body, translation)));
}

const OWN_FORM = /prompt is too long: \d+ tokens > \d+ maximum/;

/** A prompt whose estimate is further below the model's context fits, even if the estimate is too low. */
const TOLERANCE = 1.1;

/**
 * Returns the error of a provider for a prompt that is too long in the form that clients of Messages know. Providers use the same
 * words for a prompt that only leaves too little room for the requested output: that is an error of `max_tokens`.
 */
export async function toPromptTooLong(error: unknown, { pricing }: Model, chat: ChatBody): Promise<unknown> {
  if (!isPromptTooLong(error) || OWN_FORM.test(error.message)) return error;
  if (pricing.by !== "token" || pricing.contextLength === null) return error;
  const max = pricing.contextLength;
  const tokens = await estimatePrompt(chat);
  const output = Math.min(Number(chat.max_completion_tokens ?? 0), pricing.maxOutputTokens);
  if (tokens * TOLERANCE >= max || tokens + output <= max) return promptTooLong(Math.max(tokens, max + 1), max);
  const room = `must be at most about ${max - tokens}`;
  return invalidInput(
    "max_tokens",
    `${room}: the prompt has about ${tokens} of the ${max} tokens of the model's context`,
  );
}
