import { z } from "zod";
import type { Account, Actor } from "../context";
import { AccountName, setAccountName } from "../domain/accounts";
import { BalanceChoice, closeOwnAccount, getOwnClosing, keepOwnAccount } from "../domain/closures";
import { changeReplyRetention } from "../domain/generations/end";
import { acceptInvitation } from "../domain/members";
import { changePassword, requestReset } from "../domain/passwords";
import { limitResponses } from "../domain/responses";
import { isPermitted, permissionsOf, signOutEverywhere } from "../domain/people";
import { changeRetention, getRetention, RetentionPatch } from "../domain/retention";
import { resetPassword } from "../domain/recovery";
import { endSession, listAccounts, listSessions, switchAccount } from "../domain/sessions";
import { sendVerification, signUp, verifyEmail } from "../domain/signup";
import { listUsageMetadata, setUsageMetadata, UsageMetadata } from "../domain/usage";
import { endView } from "../domain/views";
import { invalidInput } from "../errors";
import { type Nano, toEuros } from "../lib/money";
import { auditorProcedure, byId, procedure, publicProcedure, router, rowNumber } from "./procedure";

const email = z.string().max(1_000);
const password = z.string().max(1_000);

/** Returns the funds of an account in EUR; null for a person who may not see them. */
function fundsOf({ balance, promotional = 0n, reserved }: Account, actor: Actor) {
  const show = (amount: Nano) => (isPermitted(actor, "billing") ? toEuros(amount) : null);
  return {
    balance: show(balance),
    promotional: show(promotional),
    held: show(reserved),
    available: show(balance - reserved),
  };
}

export const account = router({
  get: procedure("self").query(({ ctx: { account, actor } }) => ({
    email: account.email,
    name: account.name ?? null,
    member: account.member,
    ...fundsOf(account, actor),
    person: { email: actor.person.email, is_verified: actor.person.isVerified },
    permissions: permissionsOf(actor),
    closes_at: account.closesAt?.toISOString() ?? null,
    reply_retention_days: account.replyRetentionDays ?? null,
  })),

  /** Returns whether the account closes, and what then happens to its balance. */
  closing: procedure("manage").query(({ ctx }) => getOwnClosing(ctx)),

  /** Closes the account in 14 days. */
  close: procedure("manage")
    .meta({ needsProof: true })
    .input(z.object({ balance: BalanceChoice }))
    .mutation(({ ctx, input }) => closeOwnAccount(ctx, input)),

  /** Keeps an account that would close. */
  keep: procedure("manage")
    .meta({ isWhileClosing: true })
    .mutation(({ ctx }) => keepOwnAccount(ctx)),

  /** Returns the accounts that the person may act for. */
  list: procedure("self").query(({ ctx }) => listAccounts(ctx)),

  /** Lets this session act for another account of the person. */
  switch: procedure("self")
    .input(z.object({ account: rowNumber }))
    .mutation(({ ctx, input }) => switchAccount(ctx, input.account)),

  /** Sets the name by which people recognize the account; null removes it. */
  setName: procedure("manage")
    .input(z.object({ name: AccountName.nullable() }))
    .mutation(async ({ ctx, input }) => void (await setAccountName(ctx.hub.db, ctx.account.id, input.name))),

  /** Sets for how many days replies of chats are kept; null deletes them and keeps none. */
  setReplyRetention: procedure("manage")
    .input(z.object({ days: z.int().min(1).nullable() }))
    .mutation(async ({ ctx, input }) => {
      const max = ctx.hub.env.RETENTION_REPLY_DAYS;
      if (input.days !== null && input.days > max) throw invalidInput("days", `must be at most ${max}`);
      await changeReplyRetention(ctx, input.days);
      await limitResponses(ctx, input.days);
    }),

  /** Returns for how long content is kept. */
  retention: procedure("manage").query(({ ctx }) => getRetention(ctx.hub, ctx.account.id)),

  setRetention: procedure("manage")
    .input(z.object({ retention: RetentionPatch }))
    .mutation(async ({ ctx, input }) => void (await changeRetention(ctx.hub, ctx.account.id, input.retention))),

  /** Returns the keys of metadata by which usage is broken down. */
  usageMetadata: procedure("manage").query(({ ctx }) => listUsageMetadata(ctx.hub, ctx.account.id)),

  setUsageMetadata: procedure("manage")
    .input(z.object({ names: UsageMetadata }))
    .mutation(async ({ ctx, input }) => void (await setUsageMetadata(ctx, input.names))),

  /** Sends a link that verifies the person's e-mail address. */
  sendVerification: procedure("self").mutation(({ ctx }) => sendVerification(ctx.hub, ctx.actor.person)),

  /** Verifies the e-mail address, which gives the trial credit that is due. */
  verifyEmail: procedure("self")
    .input(z.object({ token: z.string().max(200) }))
    .mutation(({ ctx, input }) => verifyEmail(ctx.hub, ctx.actor.person, input.token)),

  changePassword: procedure("self")
    .input(z.object({ current: z.string(), password: z.string() }))
    .mutation(({ ctx, input }) => changePassword(ctx.hub, ctx.actor.person, input)),
});

export const sessions = router({
  list: procedure("self").query(({ ctx }) => listSessions(ctx)),

  end: procedure("self")
    .input(byId)
    .mutation(({ ctx, input }) => endSession(ctx, input.id)),

  endAll: procedure("self").mutation(({ ctx }) => signOutEverywhere(ctx.hub, ctx.actor.person.id)),
});

const token = z.string().max(100);

/** Procedures that need no session; each is rate limited by address. */
export const access = router({
  signUp: publicProcedure
    .input(z.object({ email, password }))
    .mutation(({ ctx, input }) => signUp(ctx.hub, input, ctx.address)),

  forgotPassword: publicProcedure
    .input(z.object({ email }))
    .mutation(({ ctx, input }) => requestReset(ctx.hub, input.email, ctx.address)),

  resetPassword: publicProcedure
    .input(z.object({ token, password }))
    .mutation(({ ctx, input }) => resetPassword(ctx.hub, input, ctx.address)),

  /** Accepts an invitation, as the person who is signed in or with an address and password. */
  acceptInvitation: publicProcedure
    .input(z.object({ token, email: email.optional(), password: password.optional() }))
    .mutation(({ ctx, input }) => {
      const person = ctx.session && !ctx.session.actor.view ? ctx.session.actor.person : null;
      return acceptInvitation(ctx.hub, input, person, ctx.address);
    }),
});

export const views = router({
  /** Ends the view of the session. */
  stop: auditorProcedure
    .meta({ isForViews: true })
    .mutation(({ ctx }) => endView(ctx.hub, ctx.operator, ctx.actor.sessionId)),
});
