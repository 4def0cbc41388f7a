// SQL that changes accounts as a part of statements of other modules. Each docstring names the CTEs that the fragment needs
// and makes. Every statement locks generations before accounts, and accounts in the order of their ids.
//
// Every change of an account first locks its row FOR UPDATE. A weaker lock lets foreign keys of other transactions lock old
// versions of the row, and then statements that find the row by an old snapshot deadlock (decision 91).

/**
 * SQL that moves money comes in three forms: `full`; `budgets`, without spend limits of keys and without events; and `plain`,
 * without budgets too. The latter two fail with `isAccountChanged` where the account follows events, or its limits have changed
 * since the caller's key was looked up (decision 112).
 */
export type Form = "full" | "budgets" | "plain";

const staleLimitsSql = `
  -- Rejects the statement if the limit of a key was changed since its snapshot. A lock returns the newest row, a plain read
  -- that of the snapshot. The function throws when their versions differ, so there are never rows (decision 36).
  stale_limits AS (
    SELECT reject_stale_key_limits() AS is_stale FROM locked_account
    CROSS JOIN LATERAL (SELECT key_limits_version FROM account WHERE id = locked_account.id LIMIT 1) seen
    WHERE seen.key_limits_version <> locked_account.key_limits_version
  )`;

/** `caller` is the CTE with the `account_id` and `limits_version` of each request. */
const changedAccountSql = (caller: string) => `
  -- Rejects the statement if the limits of an account have changed or it follows events by now. The function throws, so there
  -- are never rows.
  stale_limits AS (
    SELECT reject_changed_account() AS is_stale FROM locked_account JOIN ${caller} ON ${caller}.account_id = locked_account.id
    WHERE ${caller}.limits_version <> locked_account.key_limits_version OR locked_account.follows_events
  )`;

// Statements set every column that the constraints of balances compare, even an unchanged one, from the locked row: Postgres
// first checks the constraints against the row in the statement's snapshot, which may be older (decision 1).

/**
 * Returns SQL that adds holds to the accounts' reserved amounts where the available balance covers them. Needs the CTE
 * `account_amount (account_id, amount)`, and for the short forms `claim (account_id, limits_version)`; makes `locked_account`,
 * `stale_limits` and `held (account_id, follows_events)`. Fails as a whole when the limit of a key was changed since the
 * statement's snapshot.
 */
export const reserveAmountsSql = (form: Form): string => `
  -- The accounts, locked in the order of their ids.
  locked_account AS MATERIALIZED (
    SELECT id, balance, reserved, owed, promotional, key_limits_version, follows_events FROM account
    WHERE id IN (SELECT account_id FROM account_amount) ORDER BY id FOR UPDATE
  ),
  ${form === "full" ? staleLimitsSql : changedAccountSql("claim")},
  -- The holds, where the available balance covers them.
  held AS (
    UPDATE account SET reserved = locked_account.reserved + account_amount.amount, balance = locked_account.balance,
                       owed = locked_account.owed, promotional = locked_account.promotional
    FROM account_amount JOIN locked_account ON locked_account.id = account_amount.account_id
    WHERE account.id = account_amount.account_id
      AND locked_account.balance - locked_account.reserved >= account_amount.amount
      AND NOT EXISTS (SELECT FROM stale_limits WHERE is_stale)
    RETURNING account.id AS account_id, account.follows_events
  )`;

// `reject_changed_account` throws, so the CASE never returns false. The full form checks `stale_limits` instead.
const isUnchangedSql = `CASE WHEN locked_account.key_limits_version <> :limits_version OR locked_account.follows_events
         THEN reject_changed_account() ELSE true END`;

/**
 * Returns SQL that does for one request what the plain form of `reserveAmountsSql` does, with parts that Postgres sets up
 * faster (decision 145). Needs the parameters `:account_id`, `:estimated_cost` and `:limits_version`; makes `locked_account`
 * and `held (account_id)`.
 */
export const reserveAmountSql = `
  -- The account, unless its limits have changed or it follows events by now.
  locked_account AS MATERIALIZED (
    SELECT id, balance, reserved, owed, promotional, key_limits_version, follows_events FROM account
    WHERE id = :account_id FOR UPDATE
  ),
  -- The hold, where the available balance covers it.
  held AS (
    UPDATE account SET reserved = locked_account.reserved + :estimated_cost, balance = locked_account.balance,
                       owed = locked_account.owed, promotional = locked_account.promotional
    FROM locked_account
    WHERE account.id = locked_account.id AND locked_account.balance - locked_account.reserved >= :estimated_cost
      AND ${isUnchangedSql}
    RETURNING account.id AS account_id
  )`;

// A charge spends promotional credit first. The paid credit that is left and that no hold needs then pays the account's debt;
// promotional credit never does (decisions 60 and 131).
const promotionalLeftSql = "greatest(locked_account.promotional - sums.charged, 0)";
const freeSql = `locked_account.balance - sums.charged - ${promotionalLeftSql} - locked_account.reserved + sums.released`;
const repaidSql = `least(locked_account.owed, greatest(${freeSql}, 0))`;
const paymentSql = `reserved = locked_account.reserved - sums.released,
                       balance = locked_account.balance - sums.charged - ${repaidSql},
                       owed = locked_account.owed - ${repaidSql},
                       promotional = ${promotionalLeftSql}`;
const paidSql = `account.id AS account_id, locked_account.balance AS balance_before,
              locked_account.promotional AS promotional_before, account.balance,
              locked_account.owed - account.owed AS repaid`;

/**
 * Returns SQL that releases holds, charges costs, frees slots and repays debt. Needs the CTE `sums (account_id, released,
 * charged, slots)`, and for the short forms `ended (account_id, limits_version)`; makes `locked_account`, `stale_limits` and
 * `paid (account_id, balance_before, promotional_before, balance, repaid, follows_events, reply_retention_days)`. Fails as
 * `reserveAmountsSql` does.
 */
export const payAmountsSql = (form: Form): string => `
  -- The accounts, locked in the order of their ids.
  locked_account AS MATERIALIZED (
    SELECT id, balance, reserved, owed, promotional, running, key_limits_version, follows_events FROM account
    WHERE id IN (SELECT account_id FROM sums) ORDER BY id FOR UPDATE
  ),
  ${form === "full" ? staleLimitsSql : changedAccountSql("ended")},
  -- The balances after the charges. What paid credit becomes available pays the debt first (decision 60).
  paid AS (
    UPDATE account SET ${paymentSql},
                       running = locked_account.running - sums.slots
    FROM sums JOIN locked_account ON locked_account.id = sums.account_id
    WHERE account.id = sums.account_id AND NOT EXISTS (SELECT FROM stale_limits WHERE is_stale)
    RETURNING ${paidSql}, account.follows_events, account.reply_retention_days
  )`;

/**
 * Returns SQL that does for one chat what the plain form of `payAmountsSql` does. Needs the CTE `ended (account_id,
 * estimated_cost, charge)` with at most one row and the parameter `:limits_version`; makes `locked_account` and `paid
 * (account_id, balance_before, promotional_before, balance, repaid)`.
 */
export const payAmountSql = `
  -- The account, unless its limits have changed or it follows events by now.
  locked_account AS MATERIALIZED (
    SELECT id, balance, reserved, owed, promotional, key_limits_version, follows_events FROM account
    WHERE id = (SELECT account_id FROM ended) FOR UPDATE
  ),
  -- The balance after the charge. What paid credit becomes available pays the debt first (decision 60).
  paid AS (
    UPDATE account SET ${paymentSql}
    FROM locked_account, (SELECT estimated_cost AS released, charge AS charged FROM ended) sums
    WHERE account.id = locked_account.id AND ${isUnchangedSql}
    RETURNING ${paidSql}
  )`;

/**
 * Returns SQL for the paid credit of an account that no hold needs, which can be refunded in money. Holds take promotional
 * credit first, and an account that owes has none. `account` is the name of a locked row with `balance`, `reserved`, `owed`
 * and `promotional`.
 */
export const refundableSql = (account: string): string =>
  `(CASE WHEN ${account}.owed > 0 THEN 0 ELSE ${account}.balance - greatest(${account}.reserved, ${account}.promotional) END)`;

/**
 * Returns SQL that adds `amount` to a balance. Paid credit repays debt first. A negative amount can take only credit of its
 * kind that is left and that no hold needs. Needs the CTEs `target (id, balance, reserved, owed, promotional)`, the locked
 * account, and `known`, which has a row when the reference was credited before; makes `credited (id, balance, repaid)`, whose
 * `balance` is the one before the repayment.
 */
export const creditBalanceSql = ({ amount, isPromotional }: Record<"amount" | "isPromotional", string>): string => {
  const repaid = `CASE WHEN ${isPromotional} THEN 0 ELSE least(target.owed, greatest(${amount}, 0)) END`;
  const promotionalLeft = "least(target.promotional, target.balance - target.reserved)";
  return `
  credited AS (
    UPDATE account SET balance = target.balance + ${amount} - ${repaid}, owed = target.owed - ${repaid},
                       promotional = target.promotional + CASE WHEN ${isPromotional} THEN ${amount} ELSE 0 END,
                       reserved = target.reserved
    FROM target
    WHERE account.id = target.id AND NOT EXISTS (SELECT FROM known)
      AND greatest(-${amount}, 0) <= CASE WHEN ${isPromotional} THEN ${promotionalLeft} ELSE ${refundableSql("target")} END
    RETURNING account.id, account.balance + target.owed - account.owed AS balance, target.owed - account.owed AS repaid
  )`;
};

interface ReverseSql {
  amount: string;
  covered: string;
  /** A condition: whether promotional credit is taken too, once no paid credit is left. */
  takesPromotional: string;
}

/**
 * Returns SQL that takes `amount` off the paid credit that an account has available, and adds the rest to what it owes, unless
 * it must be `covered` and is not. Needs the CTE `target (id, balance, reserved, owed, promotional)`, the locked account; makes
 * `reversed (id, balance, taken, promotional_taken)`.
 */
export const reverseBalanceSql = ({ amount, covered, takesPromotional }: ReverseSql): string => {
  const available = `CASE WHEN ${takesPromotional} THEN target.balance - target.reserved ELSE ${refundableSql("target")} END`;
  const taken = `least(${amount}, ${available})`;
  return `
  reversed AS (
    UPDATE account SET balance = target.balance - ${taken}, owed = target.owed + ${amount} - ${taken},
                       promotional = least(target.promotional, target.balance - ${taken}), reserved = target.reserved
    FROM target
    WHERE account.id = target.id AND (NOT ${covered} OR ${available} >= ${amount})
    RETURNING account.id, account.balance, target.balance - account.balance AS taken,
              target.promotional - account.promotional AS promotional_taken
  )`;
};

interface SlotSql {
  /** The CTE with the `account_id` of the locked generation that starts. */
  starting: string;
  /** A parameter: how many generations an account may run at once. */
  max: string;
  /** Whether a worker leases the generation: the account with the lowest `last_lease_number` is next. */
  isLease?: boolean;
}

/** What one lease or place costs an account of weight 1 (decision 121). */
export const TURN_COST = 1_000_000;

// The sequence holds the start of the newest lease, so that an account does not make up for the time in which it had no jobs.
const nextLeaseSql = `setval('lease_number', greatest(locked_account.last_lease_number, coalesce(pg_sequence_last_value('lease_number'), 1))) + ${TURN_COST} / locked_account.weight`;

/** Returns SQL for how many generations an account may run at once: `max`, or fewer if its price book says so. */
export const maxRunningSql = (account: string, max: string): string => `least(${account}.max_running, ${max})`;

/**
 * Returns SQL that takes a slot of an account if one is free. Makes `locked_account`, and `slot (id, follows_events)`, empty
 * without a free one.
 */
export const takeSlotSql = ({ starting, max, isLease = false }: SlotSql): string => `
  -- The account, locked.
  locked_account AS MATERIALIZED (
    SELECT id, running, max_running${isLease ? ", last_lease_number, weight" : ""} FROM account WHERE id = (SELECT account_id FROM ${starting}) FOR UPDATE
  ),
  -- Its slot, if one is free.
  slot AS (
    UPDATE account SET running = locked_account.running + 1${isLease ? `, last_lease_number = ${nextLeaseSql}` : ""}
    FROM locked_account WHERE account.id = locked_account.id AND locked_account.running < ${maxRunningSql("locked_account", max)}
    RETURNING account.id, account.follows_events
  )`;

/** SQL that frees a slot for each row of the CTE `queued (account_id)`. Makes `slots`, `locked_account`, `released_slots`. */
export const releaseSlotsSql = `
  slots AS (SELECT account_id, count(*)::int AS freed FROM queued GROUP BY account_id),
  locked_account AS MATERIALIZED (
    SELECT id, running FROM account WHERE id IN (SELECT account_id FROM slots) ORDER BY id FOR UPDATE
  ),
  released_slots AS (
    UPDATE account SET running = locked_account.running - slots.freed
    FROM slots JOIN locked_account ON locked_account.id = slots.account_id WHERE account.id = slots.account_id
  )`;

/**
 * Returns SQL that charges an upload of `size` bytes to its account's quota. Needs the CTE `draft (account_id)`; makes `locked`
 * and `counted`, empty when the quota does not cover it. The account's row lock keeps concurrent uploads from exceeding it
 * together.
 */
export const chargeUploadSql = ({ size, quota }: Record<"size" | "quota", string>): string => `
  locked AS MATERIALIZED (
    SELECT id, upload_bytes FROM account WHERE id = (SELECT account_id FROM draft) FOR UPDATE
  ),
  counted AS (
    UPDATE account SET upload_bytes = locked.upload_bytes + ${size} FROM locked
    WHERE account.id = locked.id AND locked.upload_bytes + ${size} <= ${quota}
    RETURNING account.id
  )`;

/**
 * SQL that ends a statement and returns the sizes of removed uploads to their accounts' quotas. Needs the CTE `removed
 * (account_id, generation_id, size)`; makes `freed` and `locked`.
 */
export const refundUploadsSql = `
  freed AS (SELECT account_id, sum(size)::bigint AS bytes FROM removed WHERE generation_id IS NULL GROUP BY account_id),
  locked AS MATERIALIZED (
    SELECT id, upload_bytes FROM account WHERE id IN (SELECT account_id FROM freed) ORDER BY id FOR UPDATE
  )
  UPDATE account SET upload_bytes = locked.upload_bytes - freed.bytes
  FROM locked JOIN freed ON freed.account_id = locked.id WHERE account.id = locked.id`;

/**
 * Returns SQL that makes an account follow its events from now on; it locks nothing if the account does already. `id` is an
 * expression. Makes the CTE `followed`.
 */
export const followEventsSql = (id: string): string => `
  followed AS (
    UPDATE account SET follows_events = true WHERE id = ${lockAccountSql(id, "NOT follows_events")}
  )`;

/**
 * Returns SQL that starts to log the changes of these accounts' generations. `ids` is an array of account ids, `now` an
 * expression; locks nothing of accounts that were renewed within the last hour. Makes the CTE `followed_changes`.
 */
export const followChangesSql = (ids: string, now: string): string => `
  followed_changes AS (
    UPDATE account SET changes_read_at = ${now} WHERE id IN (
      SELECT id FROM account
      WHERE id = ANY (${ids}) AND (changes_read_at IS NULL OR changes_read_at < ${now}::timestamptz - interval '1 hour')
      ORDER BY id FOR UPDATE)
  )`;

/** Returns SQL that ends the log of at most `limit` accounts whose changes nobody has followed since a time. */
export const forgetFollowersSql = (since: string, limit: string): string => `
  UPDATE account SET changes_read_at = NULL WHERE id IN (
    SELECT id FROM account WHERE changes_read_at < ${since} ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
/** Returns SQL that stores whether an account has budgets, so that the short statements leave it out (decision 112). */
export const storeHasBudgetsSql = (id: string): string => `
  UPDATE account SET has_budgets = EXISTS (SELECT FROM budget WHERE account_id = ${id}) WHERE id = ${lockAccountSql(id)}`;

/** Returns SQL for the id of an account if the condition is true for it; locks the row for a change of it. */
export const lockAccountSql = (id: string, condition = "true"): string =>
  `(SELECT id FROM account WHERE id = ${id} AND ${condition} FOR UPDATE)`;
