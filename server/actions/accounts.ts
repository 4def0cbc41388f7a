import { z } from "zod";
import { setModelAccess, setWeight, suspendAccount } from "../domain/accounts";
import { assignBook, bookStarts } from "../domain/books";
import { findCredit, grantCredit } from "../domain/ledger";
import { findAccounts, getAccountSummary, listAllAccounts } from "../domain/operations";
import { RetentionPatch, setAccountRetention } from "../domain/retention";
import { createAccountByOperator } from "../domain/signup";
import { setAccountUsageMetadata, UsageMetadata } from "../domain/usage";
import { defineOperatorAction } from "./operator-action";
import { parseAmount } from "./parse-amount";

/** Why an operator does something, for the audit log. */
export const Reason = z
  .string()
  .trim()
  .min(3, "must say why")
  .max(1_000)
  .meta({ description: "Recorded in the audit log", example: "Invoice 4711 is overdue" });

const member = z.boolean().optional().meta({ description: "Whether it may use models for members" });

/** The request body that creates an account. */
const AccountRequest = z
  .strictObject({
    email: z
      .string()
      .max(254)
      .meta({ description: "E-mail address of the account and of its owner", example: "studio@example.org" }),
    password: z
      .string()
      .max(256)
      .optional()
      .meta({
        description:
          "What the owner signs in with, 8 to 256 characters. Without it, the owner sets one by e-mail, or signs in by an " +
          "identity provider",
        example: "correct horse battery",
      }),
    member,
  })
  .meta({ id: "AccountRequest" });

/** When an account changes its price book. */
export const BookStart = z.enum(bookStarts);

/** An account's weight in what accounts share: places at providers with limits, and workers. */
export const Weight = z.int().min(1).max(100).meta({
  description: "Its share of workers and of limited provider slots while other accounts are waiting too",
  example: 1,
});

/** The request body that changes an account. Absent members stay as they are. */
const AccountPatch = z
  .strictObject({
    suspended: z
      .boolean()
      .optional()
      .meta({ description: "Whether its keys and sessions are rejected", example: true }),
    member,
    weight: Weight.optional(),
    book: z
      .string()
      .max(63)
      .nullable()
      .optional()
      .meta({ description: "Id of its price book; null for the prices of the catalogue", example: null }),
    book_starts: BookStart.default("now").meta({
      description: "When the price book starts: at once, or at the beginning of the next month (UTC)",
    }),
    usage_metadata: UsageMetadata.optional(),
    retention: RetentionPatch.optional(),
    reason: Reason.optional(),
  })
  .meta({ id: "AccountPatch" });

/** The request body that credits an account. */
const CreditRequest = z
  .strictObject({
    amount: z.number().meta({
      description: "EUR, with at most nine decimal places; a negative amount corrects an earlier credit",
      example: 25,
    }),
    reference: z
      .string()
      .trim()
      .min(1, "is required")
      .max(200)
      .refine((text) => !text.startsWith("operator:"), "begins like a reference of the console: choose another one")
      .meta({
        description: "Your name of this credit, unique in the account: a repeated one returns the first credit",
        example: "invoice-4711",
      }),
    note: z.string().trim().max(500).optional().meta({ description: "Shown in the account's statement" }),
    promotional: z.boolean().optional().meta({
      description: "Whether it is promotional credit, which is spent before paid credit and never refunded",
    }),
  })
  .meta({ id: "CreditRequest" });

interface AccountPage {
  q: string;
  before: number | null;
  limit: number;
}

interface CreditInput {
  id: number;
  amount: string | number;
  reference: string;
  note?: string;
  promotional?: boolean;
  reason?: string;
}

/** Accounts for operators. */
export const accountActions = {
  /** Returns a page of all accounts, or the first ones that a search finds, without a next page. */
  list: defineOperatorAction({
    access: "auditor",
    run: async (hub, _operator, { q, before, limit }: AccountPage) =>
      q.trim() === ""
        ? listAllAccounts(hub, before, limit)
        : { data: (await findAccounts(hub, q)).slice(0, limit), next: null },
  }),

  get: defineOperatorAction({ access: "auditor", run: (hub, _operator, id: number) => getAccountSummary(hub, id) }),

  create: defineOperatorAction({
    access: "operator",
    body: AccountRequest,
    run: async (hub, operator, input: z.output<typeof AccountRequest>) =>
      getAccountSummary(hub, await createAccountByOperator(hub, operator, input)),
  }),

  /** Each changed member has its own entry in the audit log. */
  update: defineOperatorAction({
    access: "operator",
    body: AccountPatch,
    async run(
      hub,
      operator,
      {
        suspended,
        member,
        weight,
        book,
        book_starts: starts,
        usage_metadata: names,
        retention,
        ...order
      }: z.input<typeof AccountPatch> & { id: number },
    ) {
      await getAccountSummary(hub, order.id);
      if (suspended !== undefined) await suspendAccount(hub, operator, { ...order, suspended });
      if (member !== undefined) await setModelAccess(hub, operator, { ...order, member });
      if (weight !== undefined) await setWeight(hub, operator, { ...order, weight });
      if (book !== undefined) await assignBook(hub, operator, { ...order, book, starts });
      if (names !== undefined) await setAccountUsageMetadata(hub, operator, { ...order, names });
      if (retention !== undefined) await setAccountRetention(hub, operator, { ...order, retention });
      return getAccountSummary(hub, order.id);
    },
  }),

  /** Returns the entry of the reference, which an earlier call may have booked, and the current balance. */
  credit: defineOperatorAction({
    access: "operator",
    body: CreditRequest,
    async run(hub, operator, { id, amount, note, ...order }: CreditInput) {
      const request = { ...order, amount: parseAmount(amount), note: note || null };
      const { balance, credited } = await grantCredit(hub, operator, id, request);
      return { balance, credited, entry: await findCredit(hub, id, order.reference) };
    },
  }),
};
