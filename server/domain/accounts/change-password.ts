import { type Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { throttleAttempts } from "../sessions/throttle";
import { checkPassword, hashPassword, isPassword } from "./password";
import { replacePassword } from "./set-password";

/**
 * Replaces the password of the caller's own account, and ends all its sessions, this one as well.
 * 400 when the current one is wrong or the new one may not be used; 429 after too many wrong ones.
 */
export async function changePassword(ctx: Ctx, request: { current: string; password: string }): Promise<void> {
  const { id } = ctx.account;
  checkPassword(request.password);
  const counters = [{ buckets: ctx.hub.rateLimits.wrongPasswords.byOwner, key: String(id) }];
  const right = await throttleAttempts(ctx.hub, counters, async () => {
    const [row] = await ctx.db.query<{ hash: string | null }>(
      "SELECT password_hash AS hash FROM account WHERE id = $1",
      [id],
    );
    return (await isPassword(request.current, row!.hash)) || null;
  });
  if (!right) throw invalidInput("current", "is not your password");
  await replacePassword(ctx.hub, id, await hashPassword(request.password));
}
