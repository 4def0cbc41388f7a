import { int4, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId } from "../../lib/id";
import { type FactorCtx, lockFactors, settleRemoval } from "./factor";
import type { FactorsHub } from "./hub";
import { sendFactorNotice } from "./notice";

/** Returns the site for which passkeys are: they work at the hub's public address alone. */
export function passkeySite(hub: FactorsHub): { id: string; origin: string } {
  const { hostname, origin } = new URL(hub.env.BASE_URL);
  return { id: hostname, origin };
}

const notFound = () => new AppError("resource_not_found", "This passkey was removed.");

/** Renames a passkey. Throws a 404 for one that is not the person's. */
export async function renamePasskey({ hub, person }: FactorCtx, id: string, name: string): Promise<void> {
  const [renamed] = isId(id) ? await updateName(hub.db, id, person.id, name) : [];
  if (!renamed) throw notFound();
}

/** Removes a passkey. Throws a 404 for one that is not the person's, and a 409 when one is demanded and no other is left. */
export async function removePasskey(ctx: FactorCtx, id: string): Promise<void> {
  const name = await ctx.hub.db.transaction(async (tx) => {
    await lockFactors(tx, ctx);
    const [removed] = isId(id) ? await deletePasskey(tx, id, ctx.person.id) : [];
    if (!removed) throw notFound();
    await settleRemoval(tx, ctx);
    return removed.name;
  });
  sendFactorNotice(ctx, `The passkey “${name}” was removed from your account.`);
}

const updateName = statement({
  params: [uuid, int4, text],
  row: { id: uuid },
  text: "UPDATE passkey SET name = $3 WHERE id = $1 AND person_id = $2 RETURNING id",
});

const deletePasskey = statement({
  params: [uuid, int4],
  row: { name: text },
  text: "DELETE FROM passkey WHERE id = $1 AND person_id = $2 RETURNING name",
});
