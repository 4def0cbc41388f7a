import { z } from "zod";
import {
  createVoucher,
  listVouchers,
  MAX_REDEMPTIONS,
  MAX_VOUCHER_EUR,
  revokeVoucher,
  serializeVoucher,
} from "../domain/vouchers";
import { isoTime } from "../lib/iso-time";
import { defineOperatorAction } from "./operator-action";
import { parseAmount } from "./parse-amount";

/** The request body that creates a voucher. */
const VoucherRequest = z
  .strictObject({
    amount: z.number().meta({
      description: `EUR of promotional credit for each account that redeems it, at most ${MAX_VOUCHER_EUR}`,
      example: 25,
    }),
    max_redemptions: z
      .int()
      .min(1)
      .max(MAX_REDEMPTIONS)
      .default(1)
      .meta({ description: "How many accounts may redeem it, each of them once", example: 50 }),
    expires_at: isoTime
      .nullable()
      .default(null)
      .meta({ description: "When it can no longer be redeemed; null for never", example: "2027-01-01T00:00:00Z" }),
    note: z.string().trim().max(200).optional().meta({ description: "What it is for; operators see it" }),
  })
  .meta({ id: "VoucherRequest" });

interface VoucherInput {
  amount: string | number;
  max_redemptions: number;
  expires_at: string | null;
  note?: string;
}

/** Vouchers for operators. */
export const voucherActions = {
  /** Returns the code, which cannot be read again. */
  create: defineOperatorAction({
    access: "operator",
    body: VoucherRequest,
    async run(hub, operator, { amount, max_redemptions, expires_at, note }: VoucherInput) {
      const { code, record } = await createVoucher(hub, operator, {
        amount: parseAmount(amount),
        maxRedemptions: max_redemptions,
        expiresAt: expires_at === null ? null : new Date(expires_at),
        note,
      });
      return { code, ...serializeVoucher(record) };
    },
  }),

  list: defineOperatorAction({
    access: "auditor",
    async run(hub, _operator, page: { before?: string; limit: number }) {
      const { data, next } = await listVouchers(hub, page);
      return { data: data.map(serializeVoucher), next };
    },
  }),

  revoke: defineOperatorAction({
    access: "operator",
    run: (hub, operator, id: string) => revokeVoucher(hub, operator, id),
  }),
};
