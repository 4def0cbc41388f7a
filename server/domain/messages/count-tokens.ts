import type { Model } from "../../catalogue/model";
import { type Ctx, runBodyWork } from "../../context";
import { type ChatBody, estimatePrompt, isPromptTooLong, promptTooLong } from "../chat";
import { getModel } from "../models";
import type { MessagesHub } from "./hub";
import { createTranslation } from "./translation";
import { type MessagesBody, translateRequest } from "./translate-request";

/** Returns about how many tokens the prompt of a request has. Throws 404 for an unknown model, and 400. */
export async function countTokens(ctx: Ctx<MessagesHub>, body: MessagesBody): Promise<number> {
  const model = getModel(ctx, body.model);
  const translation = createTranslation(model, { isEstimate: true, keepsMarks: false });
  return estimatePrompt(await runBodyWork(ctx, () => translateRequest(body, translation)));
}

const OWN_FORM = /prompt is too long: \d+ tokens > \d+ maximum/;

/** Returns the error of a provider for a prompt that is too long in the form that clients of Messages know. */
export async function toPromptTooLong(error: unknown, { pricing }: Model, chat: ChatBody): Promise<unknown> {
  if (!isPromptTooLong(error) || OWN_FORM.test(error.message)) return error;
  if (pricing.by !== "token" || pricing.contextLength === null) return error;
  const max = pricing.contextLength;
  return promptTooLong(Math.max(await estimatePrompt(chat), max + 1), max);
}
