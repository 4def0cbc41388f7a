import { z } from "zod";
import { findFunds } from "../../../domain/ledger";
import { getKey, getNextReset } from "../../../domain/keys";
import { toEuros, toEurosOrNull } from "../../../lib/money";
import { euros } from "../schemas";
import { defineTool, readOnly } from "../tool";

export const accountTool = defineTool({
  name: "account",
  title: "Account",
  description: "Returns the balance, what may still be spent, and the spend limit of this key with its next reset.",
  annotations: readOnly,
  input: z.object({}),
  output: z.object({
    balance: euros.describe("Credit in EUR"),
    available: euros.describe("The balance less what unfinished generations hold, in EUR"),
    remaining: euros.describe("What this key may still spend now, in EUR"),
    currency: z.literal("EUR"),
    key: z.object({
      name: z.string(),
      spend_limit: euros.nullable().describe("In EUR; null for none"),
      spent: euros.describe("Charges and holds, of the current period if the limit resets"),
      spend_limit_reset: z.enum(["day", "month"]).nullable(),
      resets_at: z.string().nullable(),
      expires_at: z.string().nullable(),
    }),
  }),
  async handler({ ctx }) {
    const { account, actor, hub } = ctx;
    const [key, funds] = await Promise.all([getKey(ctx, actor.id, actor.scope), findFunds(ctx)]);
    return {
      output: {
        balance: toEuros(account.balance),
        available: toEuros(account.balance - account.reserved),
        remaining: toEuros(funds.available),
        currency: "EUR" as const,
        key: {
          name: key.name,
          spend_limit: toEurosOrNull(key.spend_limit),
          spent: toEuros(key.spent),
          spend_limit_reset: key.spend_limit_reset,
          resets_at: getNextReset(key.spend_limit_reset, hub.now())?.toISOString() ?? null,
          expires_at: key.expires_at?.toISOString() ?? null,
        },
      },
    };
  },
});
