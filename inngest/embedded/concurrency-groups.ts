/**
 * Ends a statement that has collected in `moved (lane_id, runs, waiting, executing)` by how much lanes change. Lanes
 * are locked in one order, so that nobody waits in a circle, and counted on from the locked rows, which are the newest.
 */
export const countConcurrencySql = `
  held AS MATERIALIZED (
    SELECT * FROM engine.lane WHERE id IN (SELECT lane_id FROM moved) ORDER BY id FOR NO KEY UPDATE
  ),
  counted AS (
    UPDATE engine.lane l
    SET runs = held.runs + m.runs, waiting = held.waiting + m.waiting, executing = held.executing + m.executing
    FROM (SELECT lane_id, sum(runs) AS runs, sum(waiting) AS waiting, sum(executing) AS executing
          FROM moved GROUP BY lane_id) m
    JOIN held ON held.id = m.lane_id
    WHERE l.id = m.lane_id
  )`;
