import { z } from "zod";
import type { Ctx } from "../../context";

/** What a request can say about the retention of its generations: less than its account keeps, never more. */
export const RetentionInput = {
  retention: z.literal("none", 'must be "none"').optional().meta({
    description:
      "`none` erases its content once it has ended and you have fetched all of its outputs, and after an hour at the latest",
  }),
};

/** Returns the context of a request that asks to keep nothing, if it does. */
export const withRetention = <C extends { keepsNothing?: boolean }>(ctx: C, retention: "none" | undefined): C =>
  retention === undefined ? ctx : { ...ctx, keepsNothing: true };

/** Returns whether the content of a caller's new generations is erased soon after their end. */
export const keepsNothing = ({ account, actor, ...ctx }: Pick<Ctx<unknown>, "account" | "actor" | "keepsNothing">) =>
  Boolean(ctx.keepsNothing ?? account.keepsNothing) || (actor.kind === "key" && Boolean(actor.keepsNothing));
