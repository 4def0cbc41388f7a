/**
 * SQL: the CTEs that add the rows of a CTE `group_change (concurrency_group_id, runs, waiting, executing)` to the
 * counters of their concurrency groups. Groups are locked in the order of `startRuns`, which does not know their ids, so
 * that statements cannot deadlock, and the new counts are computed from the locked rows, which hold the newest values.
 */
export const countConcurrencySql = `
  -- The groups, locked in one order.
  locked_group AS MATERIALIZED (
    SELECT * FROM engine.concurrency_group WHERE id IN (SELECT concurrency_group_id FROM group_change)
    ORDER BY function_id, key FOR NO KEY UPDATE
  ),
  -- Their counters, from the newest values.
  counted AS (
    UPDATE engine.concurrency_group target
    SET runs = g.runs + c.runs, waiting = g.waiting + c.waiting, executing = g.executing + c.executing
    FROM (SELECT concurrency_group_id, sum(runs) AS runs, sum(waiting) AS waiting, sum(executing) AS executing
          FROM group_change GROUP BY concurrency_group_id) c
    JOIN locked_group g ON g.id = c.concurrency_group_id
    WHERE target.id = c.concurrency_group_id
  )`;
