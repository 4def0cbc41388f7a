import { type Ctx } from "../../context";
import { invalidInput } from "../../errors";
import { throttleAttempts } from "../rates/throttle";
import { checkPassword, hashPassword, isPassword } from "./password";
import { replacePassword } from "./set-password";

/**
 * Replaces the password of the caller's account and ends all its sessions, including the current one. Throws a 400 when
 * the current password is wrong or the new one is invalid, and a 429 after too many wrong passwords.
 */
export async function changePassword(ctx: Ctx, request: { current: string; password: string }): Promise<void> {
  const { id } = ctx.account;
  checkPassword(request.password);
  const counters = [{ buckets: ctx.hub.rateLimits.wrongPasswords.byOwner, key: String(id) }];
  const isCorrect = await throttleAttempts(ctx.hub, counters, async () => {
    const account = await ctx.hub.db.prisma.account.findUnique({ where: { id }, select: { passwordHash: true } });
    return (await isPassword(request.current, account!.passwordHash)) || null;
  });
  if (!isCorrect) throw invalidInput("current", "is not your password");
  await replacePassword(ctx.hub, id, await hashPassword(request.password));
}
