import { bool, int8, nullable, text, textOf, timestamptz, uuid } from "../../db/column-types";
import { columnList, type RowOf } from "../../db/statement";
import { toEuros, toEurosOrNull } from "../../lib/money";
import type { SpendReset } from "./period";

const columns = {
  id: uuid,
  name: text,
  prefix: text,
  created_at: timestamptz,
  /** Accurate to the minute. */
  last_used_at: nullable(timestamptz),
  expires_at: nullable(timestamptz),
  revoked_at: nullable(timestamptz),
  require_idempotency: bool,
  spend_limit: nullable(int8),
  spend_limit_reset: nullable(textOf<NonNullable<SpendReset>>()),
};

export const keyColumns = {
  ...columns,
  /** Charges and holds; of the current period if the limit resets. */
  spent: int8,
};

/** An API key row without its hash. Money in nano-euros. */
export type Key = RowOf<typeof keyColumns>;

/** Returns SQL for the columns of a Key from the table or CTE `k`; `spent` is the expression for its spend. */
export const keySql = (spent: string) => `${columnList(columns, "k")}, ${spent} AS spent`;

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
