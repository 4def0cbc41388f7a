import { z } from "zod";
import { changePassword } from "../domain/accounts/change-password";
import { toEuros } from "../lib/money";
import { signOutEverywhere } from "../domain/accounts/account";
import { endSession, listSessions } from "../domain/sessions/session";
import { MAX_REPLY_RETENTION_DAYS } from "../domain/accounts/reply-retention";
import { changeReplyRetention } from "../domain/generations/chat-replies";
import { requestReset } from "../domain/accounts/request-reset";
import { resetPassword } from "../domain/recovery/reset-password";
import { sendVerification, verifyEmail } from "../domain/signup/verify-email";
import { signUp } from "../domain/signup/sign-up";
import { procedure, router, byId, publicProcedure } from "./procedure";

const email = z.string().max(1_000);
const password = z.string().max(1_000);

export const account = router({
  get: procedure.query(({ ctx: { account } }) => ({
    email: account.email,
    member: account.member,
    balance: toEuros(account.balance),
    held: toEuros(account.reserved),
    available: toEuros(account.balance - account.reserved),
    reply_retention_days: account.replyRetentionDays ?? null,
  })),

  /** Sets for how many days replies of chats are kept; null deletes them and keeps none. */
  setReplyRetention: procedure
    .input(z.object({ days: z.int().min(1).max(MAX_REPLY_RETENTION_DAYS).nullable() }))
    .mutation(({ ctx, input }) => changeReplyRetention(ctx, input.days)),

  /** Sends a link that verifies the account's e-mail address. */
  sendVerification: procedure.mutation(({ ctx }) => sendVerification(ctx)),

  /** Verifies the e-mail address, which gives the trial credit that is due. */
  verifyEmail: procedure
    .input(z.object({ token: z.string().max(200) }))
    .mutation(({ ctx, input }) => verifyEmail(ctx, input.token)),

  changePassword: procedure
    .input(z.object({ current: z.string(), password: z.string() }))
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
});

export const sessions = router({
  list: procedure.query(({ ctx }) => listSessions(ctx)),

  end: procedure.input(byId).mutation(({ ctx, input }) => endSession(ctx, input.id)),

  endAll: procedure.mutation(({ ctx }) => signOutEverywhere(ctx.hub, ctx.account.id)),
});

/** Procedures that need no session; each is rate limited by address. */
export const access = router({
  signUp: publicProcedure
    .input(z.object({ email, password }))
    .mutation(({ ctx, input }) => signUp(ctx.hub, input, ctx.address)),

  forgotPassword: publicProcedure
    .input(z.object({ email }))
    .mutation(({ ctx, input }) => requestReset(ctx.hub, input.email, ctx.address)),

  resetPassword: publicProcedure
    .input(z.object({ token: z.string().max(100), password }))
    .mutation(({ ctx, input }) => resetPassword(ctx.hub, input, ctx.address)),
});
