/**
 * SQL: the CTEs that add the rows of a CTE `group_change (lane_id, runs, waiting, executing)` to the counters of their
 * concurrency groups. Groups are locked in one order, so that statements cannot deadlock, and counted on from the locked
 * rows, which hold the newest values.
 */
export const countConcurrencySql = `
  locked_group AS MATERIALIZED (
    SELECT * FROM engine.lane WHERE id IN (SELECT lane_id FROM group_change) ORDER BY id FOR NO KEY UPDATE
  ),
  counted AS (
    UPDATE engine.lane l
    SET runs = g.runs + c.runs, waiting = g.waiting + c.waiting, executing = g.executing + c.executing
    FROM (SELECT lane_id, sum(runs) AS runs, sum(waiting) AS waiting, sum(executing) AS executing
          FROM group_change GROUP BY lane_id) c
    JOIN locked_group g ON g.id = c.lane_id
    WHERE l.id = c.lane_id
  )`;
