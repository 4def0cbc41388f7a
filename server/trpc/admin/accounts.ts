import { z } from "zod";
import { setMember, suspendAccount } from "../../domain/accounts";
import { grantCredit } from "../../domain/ledger";
import { addNote, findAccounts, getAccountRecord, listAllAccounts } from "../../domain/operations";
import { invalidInput } from "../../errors";
import { parseDecimal, toEuros } from "../../lib/money";
import { auditorProcedure, operatorProcedure, reason, router, rowNumber } from "../procedure";

const PAGE = 50;
const MAX_EUROS = 1_000_000;

const account = rowNumber;

export const accounts = router({
  list: auditorProcedure
    .input(z.object({ q: z.string().max(200).optional(), before: account.optional() }))
    .query(async ({ ctx: { hub }, input: { q = "", before = null } }) =>
      q.trim() === "" ? listAllAccounts(hub, before, PAGE) : { data: await findAccounts(hub, q), next: null },
    ),

  get: auditorProcedure
    .input(z.object({ account }))
    .query(({ ctx: { hub }, input }) => getAccountRecord(hub, input.account)),

  suspend: operatorProcedure
    .input(z.object({ account, suspended: z.boolean(), reason }))
    .mutation(({ ctx: { hub, operator }, input: { account: id, ...order } }) =>
      suspendAccount(hub, operator, { id, ...order }),
    ),

  setMember: operatorProcedure
    .input(z.object({ account, member: z.boolean(), reason }))
    .mutation(({ ctx: { hub, operator }, input: { account: id, ...order } }) =>
      setMember(hub, operator, { id, ...order }),
    ),

  /** Credits an account, or corrects a credit by a negative amount. With the form's reference, a double click credits once. */
  credit: operatorProcedure
    .input(
      z.object({
        account,
        amount: z.string().max(30),
        reference: z.string().min(16).max(64),
        note: z.string().max(500),
        reason,
      }),
    )
    .mutation(async ({ ctx: { hub, operator }, input }) => {
      const amount = readAmount(input.amount);
      const note = input.note.trim() || null;
      const request = { amount, reference: `operator:${input.reference}`, note, reason: input.reason };
      const { balance, credited } = await grantCredit(hub, operator, input.account, request);
      return { balance: toEuros(balance), credited };
    }),

  note: operatorProcedure
    .input(z.object({ account, text: z.string().trim().min(1, "is empty").max(2_000) }))
    .mutation(({ ctx: { hub, operator }, input }) => addNote(hub, operator, input.account, input.text)),
});

/** Returns an amount in EUR as exact nano-euros. Throws a 400. */
function readAmount(text: string): bigint {
  let amount: bigint;
  try {
    amount = parseDecimal(text.trim());
  } catch {
    throw invalidInput("amount", "must be an amount in EUR, such as 12.50 or -3");
  }
  if (amount === 0n || amount > parseDecimal(MAX_EUROS) || amount < -parseDecimal(MAX_EUROS))
    throw invalidInput("amount", `must be between -${MAX_EUROS} and ${MAX_EUROS}, and not 0`);
  return amount;
}
