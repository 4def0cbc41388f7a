// What the attempts of a provider with a spend limit cost on a day, counted in the statements that open and close them. Rows
// are locked in the order of their keys, after generations and accounts.

/**
 * SQL that counts new attempts on their day. Needs the CTE `opened` of rows of `attempt`, at most one of each provider;
 * makes `counted`.
 */
export const countSpendingSql = `
  counted AS (
    INSERT INTO provider_spending AS s (provider, day, spent)
    SELECT limited_provider, budget_day, budget_cost FROM opened WHERE budget_cost IS NOT NULL
    ON CONFLICT (provider, day) DO UPDATE SET spent = s.spent + EXCLUDED.spent
  )`;

/**
 * SQL that replaces what ended attempts were counted with by what they cost: nothing if the provider refused them. Needs
 * the CTE `closed` of rows of `attempt`; makes `correction`, `locked_spending` and `corrected`.
 */
export const correctSpendingSql = `
  -- The difference between what the attempts cost and what was counted for them, by provider and day.
  correction AS (
    SELECT limited_provider AS provider, budget_day AS day,
           sum(CASE outcome WHEN 'refused' THEN 0 ELSE coalesce(cost, budget_cost) END - budget_cost)::bigint AS amount
    FROM closed WHERE budget_cost IS NOT NULL GROUP BY 1, 2
  ),
  -- The days to correct, locked in the order of their keys.
  locked_spending AS MATERIALIZED (
    SELECT s.provider, s.day, s.spent + c.amount AS spent FROM provider_spending s JOIN correction c USING (provider, day)
    WHERE c.amount <> 0 ORDER BY s.provider, s.day FOR NO KEY UPDATE OF s
  ),
  -- Their spending after the correction.
  corrected AS (
    UPDATE provider_spending s SET spent = l.spent FROM locked_spending l WHERE s.provider = l.provider AND s.day = l.day
  )`;

/** SQL: whether the work of a lost row of `attempt` may have been billed by its provider. */
export const maybeBilledSql = "outcome = 'lost' AND provider <> 'worker' AND provider <> 'sandbox'";
