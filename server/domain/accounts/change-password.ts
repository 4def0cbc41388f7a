import type { Hub, Ctx } from "../../context";
import { int4, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { throttleAttempts } from "../rates/throttle";
import { getAccount } from "./account";
import { hashPassword, checkPassword, isPassword } from "./password";

/**
 * Replaces an account's password and ends all its sessions. Throws a 400 when the password is too short or too long, and
 * a 404 when there is no such account.
 */
export async function setPassword(hub: Hub, email: string, password: string): Promise<void> {
  const passwordHash = await hashPassword(password);
  const { id } = await getAccount(hub, email);
  await replacePassword(hub, id, passwordHash);
}

/** Replaces the password hash, ends all sessions and invalidates reset links, in one statement. */
export async function replacePassword(hub: Hub, accountId: number, passwordHash: string): Promise<void> {
  await updatePassword(hub.db, accountId, passwordHash);
}

const updatePassword = statement({
  params: [int4, text],
  row: {},
  text: `
    WITH invalidated AS (DELETE FROM password_reset WHERE account_id = $1)
    UPDATE account SET password_hash = $2, session_version = session_version + 1 WHERE id = $1`,
});

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
  if (!isCorrect) throw invalidInput("current", "That’s not your current password.");
  await replacePassword(ctx.hub, id, await hashPassword(request.password));
}
