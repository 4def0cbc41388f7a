import type { OfferedModel } from "../../catalogue/model";
import type { Ctx } from "../../context";
import { AppError, invalidInput } from "../../errors";
import type { ModelsHub } from "./hub";

type Caller = Pick<Ctx<ModelsHub>, "hub" | "account" | "actor">;

/**
 * Returns a model; throws 404 `model_not_found` when it does not exist, is for members and the account is not one, or is
 * not among those that the API key may use.
 */
export function getModel(ctx: Caller, id: string): OfferedModel {
  const model = ctx.hub.catalogue.get(id);
  if (!model || !isOffered(ctx, model)) throw new AppError("model_not_found");
  if (!isAllowed(ctx, model)) throw new AppError("model_not_found", "This API key may not use this model.");
  return model;
}

/** Returns the models that the account and its key may use, in the operator's order (specification, section 4.2). */
export const listModels = (ctx: Caller): OfferedModel[] =>
  [...ctx.hub.catalogue.values()].filter((model) => isOffered(ctx, model) && isAllowed(ctx, model));

const isOffered = ({ account }: Caller, model: OfferedModel) => !model.membersOnly || account.member;

const isAllowed = ({ actor }: Caller, { id }: OfferedModel) =>
  actor.kind !== "key" || actor.allowedModels === null || actor.allowedModels.includes(id);

/** Throws a 400 for an id in `allowed_models` of a key that is no model of the account. */
export function checkAllowedModels(ctx: Caller, ids: string[] | null | undefined): void {
  ids?.forEach((id, index) => {
    const model = ctx.hub.catalogue.get(id);
    if (!model || !isOffered(ctx, model)) throw invalidInput(`allowed_models.${index}`, "is not a model of this hub");
  });
}
