import type { OfferedModel } from "../../catalogue/model";
import { priceByBook } from "../../catalogue/books/price-by-book";
import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import type { ModelsHub } from "./hub";

type Caller = Pick<Ctx<ModelsHub>, "hub" | "account" | "actor">;

/**
 * Returns a model at the account's prices; throws 404 `model_not_found` when it does not exist, is for members and the account
 * is not one, or is not among those that the account's price book or the API key allows.
 */
export function getModel(ctx: Caller, id: string): OfferedModel {
  const model = findModel(ctx, id);
  if (!model) throw new AppError("model_not_found");
  if (!isAllowed(ctx, model)) throw new AppError("model_not_found", "This API key may not use this model.");
  return model;
}

/** Returns a model at the account's prices, whatever its key may use; null for one that the account does not have. */
export function findModel({ hub, account }: Pick<Caller, "hub" | "account">, id: string): OfferedModel | null {
  const model = hub.catalogue.get(id);
  return model ? offerTo(account, model) : null;
}

/** Returns the models that the account and its key may use, in the operator's order (specification, section 4.2). */
export const listModels = (ctx: Caller): OfferedModel[] =>
  [...ctx.hub.catalogue.values()].flatMap((model) => {
    const offered = offerTo(ctx.account, model);
    return offered && isAllowed(ctx, offered) ? [offered] : [];
  });

function offerTo({ member, terms }: Caller["account"], model: OfferedModel): OfferedModel | null {
  if (model.membersOnly && !member) return null;
  return terms ? priceByBook(model, terms) : model;
}

const isAllowed = ({ actor }: Caller, { id }: OfferedModel) =>
  actor.kind !== "key" || actor.allowedModels === null || actor.allowedModels.includes(id);

/** Throws a 400 for an id in a key's `allowed_models` that is not a model of the account. */
export function checkAllowedModels(ctx: Caller, ids: string[] | null | undefined): void {
  ids?.forEach((id, index) => {
    if (!findModel(ctx, id)) throw invalidInput(`allowed_models.${index}`, "is not a model of this hub");
  });
}
