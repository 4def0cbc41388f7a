import { z } from "zod";

const MAX_AMOUNT = 1_000_000;
/** As many people as an account is likely to have. */
const MAX_RECIPIENTS = 1_000;

/** What an account can change about its alerts; absent members stay as they are. */
export const AlertInput = z.strictObject({
  /** The balance in EUR below which it is low; null for what the last three days spent. */
  low_amount: z.number().min(0.01, "must be at least 0.01").max(MAX_AMOUNT).nullable().optional(),
  /** Null removes the URL. */
  slack_url: z.string().trim().min(1).max(2_048).nullable().optional(),
  /** The ids of the members who get alerts by e-mail. */
  recipients: z.array(z.int().positive()).max(MAX_RECIPIENTS).optional(),
});
