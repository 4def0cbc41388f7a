import type { OfferedModel } from "../../catalogue/model";
import type { Ctx } from "../../context";

/** Returns the models that the account may use, in the operator's order (specification, section 4.2). */
export const listModels = (ctx: Pick<Ctx, "hub" | "account">): OfferedModel[] =>
  [...ctx.hub.catalogue.values()].filter((model) => !model.membersOnly || ctx.account.member);
