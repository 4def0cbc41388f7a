import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { finish } from "./finish";
import type { Generation } from "./generation";
import { get } from "./get";

/**
 * Cancels a generation that has not started; its hold is released and nothing is charged (specification, section 4.3).
 * One that is canceled already is answered as it is; any other state is 409 `generation_not_cancelable`.
 */
export async function cancel(ctx: Ctx, id: string): Promise<Generation> {
  await get(ctx, id);
  const canceled = await finish(ctx.hub, { id, from: ["queued", "awaiting_supply"], to: "canceled" });
  if (canceled) ctx.publish({ name: "generation/canceled", data: { id } });
  const current = await get(ctx, id);
  if (current.status === "canceled") return current;
  throw new AppError(
    "generation_not_cancelable",
    `It is ${current.status}; only a generation that has not started can be canceled.`,
  );
}
