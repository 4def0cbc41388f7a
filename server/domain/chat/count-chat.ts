import type { TokenPricing } from "../../catalogue/pricing";
import { type Ctx, runBodyWork } from "../../context";
import { estimateChat } from "../tokens";
import { countPrompt } from "./count-prompt";
import type { ChatDialect } from "./dialect";
import type { ChatHub } from "./hub";
import { prepareChat } from "./prepare-chat";
import type { ChatBody } from "./request";

/** Estimates the tokens of a chat's prompt, which is not sent. Throws as `prepareChat`. */
export async function countChat(ctx: Ctx<ChatHub>, body: ChatBody, dialect: ChatDialect): Promise<number> {
  const request = await prepareChat(ctx, body, dialect);
  const { price } = await runBodyWork(ctx, () => estimateChat(request.model.pricing as TokenPricing, request.input));
  return countPrompt(request, price);
}
