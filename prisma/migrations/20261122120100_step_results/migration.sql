-- Runs that began before 20261122110000_run_claims remember step results in words that functions no longer know. Values
-- are matched as the SDK wrote them: they are json, which may hold what jsonb cannot.
UPDATE engine.step_result s SET value = '{"data":"running"}'
FROM engine.run r
WHERE r.id = s.run_id AND r.function_id = 'generation-hub-run-generation' AND s.value::text = '{"data":"begun"}';

UPDATE engine.step_result s
SET value = replace(s.value::text, '{"data":{"next":"ask-again","seconds":', '{"data":{"next":"poll","pollAfterSeconds":')::json
FROM engine.run r
WHERE r.id = s.run_id AND r.function_id = 'generation-hub-run-generation'
  AND s.value::text LIKE '{"data":{"next":"ask-again","seconds":%';

-- The function that ended generations of failed runs is gone, so its runs would never execute. The sweep has such a
-- generation taken over by another run.
DELETE FROM engine.run WHERE function_id = 'generation-hub-run-generation-failure' AND status = 'active';
DELETE FROM engine.concurrency_group WHERE function_id = 'generation-hub-run-generation-failure';
