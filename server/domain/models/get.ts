import type { OfferedModel } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { AppError } from "../../errors";

/** The model of that id, or 404 `model_not_found`; to others a model for members does not exist. */
export function getModel(ctx: Pick<Ctx, "catalogue" | "account">, id: string): OfferedModel {
  const model = ctx.catalogue.get(id);
  if (!model || (model.membersOnly && !ctx.account.member)) throw new AppError("model_not_found");
  return model;
}
