import type { Ctx } from "../../context";
import type { Nano } from "../../lib/money";

/** What the account can spend at this moment: its balance less all holds. */
export async function findAvailable(ctx: Ctx): Promise<Nano> {
  const [row] = await ctx.db.query<{ available: Nano }>(
    "SELECT balance - reserved AS available FROM account WHERE id = $1",
    [ctx.account.id],
  );
  return row!.available;
}
