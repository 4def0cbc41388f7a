import { type Nano, toEuros, toEurosOrNull } from "../../lib/money";
import type { SpendReset } from "./period";

/** An API key as its row has it, without its hash. Money in nano-euros. */
export interface Key {
  id: string;
  name: string;
  prefix: string;
  created_at: Date;
  /** To the minute. */
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
  require_idempotency: boolean;
  spend_limit: Nano | null;
  spend_limit_reset: SpendReset;
  /** Charges and holds, of the present period if its limit has one. */
  spent: Nano;
}

/** SQL: a whole Key from the table or CTE `k`, with an expression for what it has spent. */
export const keySql = (spent: string) => `
  k.id, k.name, k.prefix, k.created_at, k.last_used_at, k.expires_at, k.revoked_at, k.require_idempotency,
  k.spend_limit, k.spend_limit_reset, ${spent} AS spent`;

/** A key as the wire has it (contract, Keys). */
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
