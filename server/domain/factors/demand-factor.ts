import { setSecondFactorDemand } from "../accounts";
import { AppError } from "../../errors";
import { listFactors, type FactorCtx } from "./factor";

/**
 * Sets whether people need a second factor to act for the account. Throws a 409 when the person who demands one has none,
 * because they would lock themselves out.
 */
export async function demandFactor(ctx: FactorCtx, isDemanded: boolean): Promise<void> {
  if (isDemanded) {
    const { passkeys, totp_added_at } = await listFactors(ctx);
    if (passkeys.length === 0 && !totp_added_at)
      throw new AppError("invalid_state", "Add a passkey or an authenticator app for yourself first.");
  }
  await setSecondFactorDemand(ctx.hub.db, ctx.accountId, isDemanded);
}
