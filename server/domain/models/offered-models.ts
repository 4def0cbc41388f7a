import type { OfferedModel } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { AppError } from "../../errors";

/**
 * Returns a model; throws 404 `model_not_found` when it does not exist, or is for members and the account is not one.
 */
export function getModel(ctx: Pick<Ctx, "hub" | "account">, id: string): OfferedModel {
  const model = ctx.hub.catalogue.get(id);
  if (!model || (model.membersOnly && !ctx.account.member)) throw new AppError("model_not_found");
  return model;
}

/** Returns the models that the account may use, in the operator's order (specification, section 4.2). */
export const listModels = (ctx: Pick<Ctx, "hub" | "account">): OfferedModel[] =>
  [...ctx.hub.catalogue.values()].filter((model) => !model.membersOnly || ctx.account.member);
