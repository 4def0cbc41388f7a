import { type Nano, toEuros, toEurosOrNull } from "../../lib/money";
import type { SpendReset } from "./period";

/** An API key row without its hash. Money in nano-euros. */
export interface Key {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  /** Accurate to the minute. */
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  require_idempotency: boolean;
  spend_limit: Nano | null;
  spend_limit_reset: SpendReset;
  /** Charges and holds; of the current period if the limit resets. */
  spent: Nano;
}

/** Returns SQL for the columns of a Key from the table or CTE `k`; `spent` is the expression for its spend. */
export const keySql = (spent: string) => `
  k.id, k.name, k.prefix, k.created_at, k.last_used_at, k.expires_at, k.revoked_at, k.require_idempotency,
  k.spend_limit, k.spend_limit_reset, ${spent} AS spent`;

/** Returns the public representation of a key (contract, Keys). */
export const serializeKey = (key: Key) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  created_at: key.created_at.toISOString(),
  last_used_at: key.last_used_at?.toISOString() ?? null,
  expires_at: key.expires_at?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  require_idempotency: key.require_idempotency,
  spend_limit: toEurosOrNull(key.spend_limit),
  spend_limit_reset: key.spend_limit_reset,
  spent: toEuros(key.spent),
});
