import { eurosSql, type Invariant } from "./scope";

/** Invariants of vouchers, which are few and always read whole. */
export const voucherInvariants: Invariant[] = [
  {
    name: "every redemption of a voucher is credited once, to its account, and nothing else",
    sql: `SELECT format('%s of account %s', coalesce('voucher:' || r.voucher_id, e.reference), coalesce(r.account_id, e.account_id)) AS subject,
                 format('the voucher gives %s EUR, credited %s EUR', ${eurosSql("coalesce(r.amount, 0)")}, ${eurosSql("coalesce(e.amount, 0)")}) AS message
          FROM (SELECT r.voucher_id, r.account_id, v.amount FROM voucher_redemption r JOIN voucher v ON v.id = r.voucher_id) r
          FULL JOIN (SELECT * FROM public.ledger_entry WHERE kind = 'promotional' AND reference LIKE 'voucher:%') e
            ON e.account_id = r.account_id AND e.reference = 'voucher:' || r.voucher_id
          WHERE e.amount IS DISTINCT FROM r.amount`,
  },
  {
    name: "a voucher counts its redemptions and has no more than it may",
    sql: `SELECT 'voucher ' || v.id AS subject,
                 format('counts %s of at most %s, has %s', v.redemptions, v.max_redemptions, count(r.account_id)) AS message
          FROM voucher v LEFT JOIN voucher_redemption r ON r.voucher_id = v.id
          GROUP BY v.id HAVING v.redemptions <> count(r.account_id) OR v.redemptions > v.max_redemptions`,
  },
];
