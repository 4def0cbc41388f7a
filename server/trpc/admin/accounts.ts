import { z } from "zod";
import { accountActions, BookStart, Weight } from "../../actions/accounts";
import { accountClosingActions } from "../../actions/account-closing";
import { BalanceChoice, MAX_CLOSING_DAYS, requestPersonErasure } from "../../domain/closures";
import { addNote, getAccountRecord } from "../../domain/operations";
import { toEuros } from "../../lib/money";
import { auditorProcedure, operatorProcedure, procedureOf, reason, router, rowNumber } from "../procedure";

const PAGE = 50;

const account = rowNumber;

export const accounts = router({
  list: procedureOf(accountActions.list)
    .input(z.object({ q: z.string().max(200).optional(), before: account.optional() }))
    .query(({ ctx: { hub, operator }, input: { q = "", before = null } }) =>
      accountActions.list.run(hub, operator, { q, before, limit: PAGE }),
    ),

  get: auditorProcedure
    .input(z.object({ account }))
    .query(({ ctx: { hub }, input }) => getAccountRecord(hub, input.account)),

  suspend: procedureOf(accountActions.update)
    .input(z.object({ account, suspended: z.boolean(), reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { account: id, ...order } }) => {
      await accountActions.update.run(hub, operator, { id, ...order });
    }),

  /** Closes an account in this many days; afterwards only what tax law demands is left of it. */
  close: procedureOf(accountClosingActions.start)
    .input(z.object({ account, balance: BalanceChoice, days: z.int().min(0).max(MAX_CLOSING_DAYS), reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { account: id, ...order } }) => {
      await accountClosingActions.start.run(hub, operator, { id, ...order });
    }),

  keep: procedureOf(accountClosingActions.keep)
    .input(z.object({ account, reason }))
    .mutation(({ ctx: { hub, operator }, input: { account: id, ...order } }) =>
      accountClosingActions.keep.run(hub, operator, { id, ...order }),
    ),

  erasePerson: operatorProcedure
    .input(z.object({ email: z.string().max(254), reason }))
    .mutation(async ({ ctx: { hub, operator }, input }) => void (await requestPersonErasure(hub, operator, input))),

  setMember: procedureOf(accountActions.update)
    .input(z.object({ account, member: z.boolean(), reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { account: id, ...order } }) => {
      await accountActions.update.run(hub, operator, { id, ...order });
    }),

  setWeight: procedureOf(accountActions.update)
    .input(z.object({ account, weight: Weight, reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { account: id, ...order } }) => {
      await accountActions.update.run(hub, operator, { id, ...order });
    }),

  /** Puts an account on a price book; null for the prices of the catalogue. */
  setBook: procedureOf(accountActions.update)
    .input(z.object({ account, book: z.string().max(100).nullable(), starts: BookStart, reason }))
    .mutation(async ({ ctx: { hub, operator }, input: { account: id, starts, ...order } }) => {
      await accountActions.update.run(hub, operator, { id, book_starts: starts, ...order });
    }),

  /** Credits an account, or corrects a credit by a negative amount. With the form's reference, a double click credits once. */
  credit: procedureOf(accountActions.credit)
    .input(
      z.object({
        account,
        amount: z.string().max(30),
        reference: z.string().min(16).max(64),
        note: z.string().max(500),
        reason,
      }),
    )
    .mutation(async ({ ctx: { hub, operator }, input: { account: id, reference, note, ...request } }) => {
      const { balance, credited } = await accountActions.credit.run(hub, operator, {
        ...request,
        id,
        reference: `operator:${reference}`,
        note: note.trim(),
      });
      return { balance: toEuros(balance), credited };
    }),

  note: operatorProcedure
    .input(z.object({ account, text: z.string().trim().min(1, "is empty").max(2_000) }))
    .mutation(({ ctx: { hub, operator }, input }) => addNote(hub, operator, input.account, input.text)),
});
