import type { Actor, Ctx } from "../../context";
import { AppError } from "../../errors";
import { isPaymentEventName } from "../events";
import { findMakerRole } from "../keys";
import { allowsRole, checkPermission } from "../people";
import type { EndpointsHub } from "./hub";

/**
 * Throws a 403 when one of the events tells of payments and the actor may not see them: for a key, when the role of whoever
 * made it may not. A key that the operator made is the account's own.
 */
export async function checkPaymentEvents(ctx: Ctx<EndpointsHub>, events: readonly string[]): Promise<void> {
  if (!events.some(isPaymentEventName)) return;
  if (ctx.actor.kind === "key") await checkMaker(ctx, ctx.actor);
  else checkPermission(ctx.actor, "billing");
}

async function checkMaker({ hub }: Ctx<EndpointsHub>, { id }: Extract<Actor, { kind: "key" }>): Promise<void> {
  const maker = await findMakerRole(hub, id);
  if (maker === "operator" || (maker !== null && allowsRole(maker, "billing"))) return;
  throw new AppError(
    "unauthorized",
    "Payment events need the API key of somebody who may see the account’s payments, such as an owner.",
    {},
    {},
    403,
  );
}
