import type { TokenPricing } from "../../catalogue/pricing";
import { type Ctx, runSlicedBodyWork } from "../../context";
import { estimateChatInSlices } from "../tokens";
import { countPrompt, withUntranslated } from "./count-prompt";
import type { ChatDialect } from "../dialects";
import type { ChatHub } from "./hub";
import { prepareChat } from "./prepare-chat";
import type { ChatBody } from "./request";

/** Estimates the tokens of a chat's prompt, which is not sent. Throws as `prepareChat`. */
export async function countChat(ctx: Ctx<ChatHub>, body: ChatBody, dialect: ChatDialect): Promise<number> {
  const request = await prepareChat(ctx, body, dialect);
  const pricing = request.model.pricing as TokenPricing;
  const { price } = await runSlicedBodyWork(ctx, () => estimateChatInSlices(pricing, withUntranslated(request)));
  return countPrompt({ ...request, wasSentNative: request.dialect.native !== null }, price);
}
