import { z } from "@hono/zod-openapi";
import { euros, nextCursor, page, time, uuid } from "./values";

export const voucherId = uuid.openapi({ description: "Id of a voucher" });

const voucher = {
  id: voucherId,
  prefix: z.string().openapi({ description: "The first characters of its code", example: "7K2QF" }),
  note: z.string().nullable().openapi({ description: "What it is for", example: "Conference 2026" }),
  amount: euros.openapi({ description: "EUR for each account that redeems it", example: 25 }),
  max_redemptions: z.int().openapi({ description: "How many accounts may redeem it", example: 50 }),
  redemptions: z.int().openapi({ description: "How many accounts have redeemed it", example: 3 }),
  created_at: time,
  expires_at: time.nullable(),
  revoked_at: time.nullable(),
};

export const CreatedVoucher = z
  .object({
    code: z
      .string()
      .openapi({ description: "The code; it cannot be read again", example: "7K2QF-9D3XW-0M5TB-HC8VN-R4E6A" }),
    ...voucher,
  })
  .openapi("CreatedVoucher");

export const VoucherPage = z
  .object({ data: z.array(z.object(voucher)), next_cursor: nextCursor })
  .openapi("VoucherPage");

export const VoucherQuery = z.object(page());
