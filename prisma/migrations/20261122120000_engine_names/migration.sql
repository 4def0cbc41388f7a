-- Names the engine's tables as inngest/embedded/README.md does. Rows stay as they are, so that runs in flight go on.

-- A concurrency group: the jobs of one function with one value of its concurrency key.
ALTER TABLE engine.lane RENAME TO concurrency_group;
ALTER TABLE engine.concurrency_group RENAME COLUMN most TO max_concurrency;
ALTER TABLE engine.concurrency_group RENAME COLUMN turn TO claim_order;
ALTER TABLE engine.concurrency_group RENAME CONSTRAINT lane_pkey TO concurrency_group_pkey;
ALTER TABLE engine.concurrency_group RENAME CONSTRAINT lane_function_id_key_key TO concurrency_group_function_id_key_key;
ALTER TABLE engine.concurrency_group RENAME CONSTRAINT lane_most_check TO concurrency_group_max_concurrency_check;
ALTER TABLE engine.concurrency_group RENAME CONSTRAINT lane_runs_check TO concurrency_group_runs_check;
ALTER TABLE engine.concurrency_group RENAME CONSTRAINT lane_waiting_check TO concurrency_group_waiting_check;
ALTER TABLE engine.concurrency_group RENAME CONSTRAINT lane_executing_check TO concurrency_group_executing_check;
ALTER INDEX engine.lane_open RENAME TO concurrency_group_runnable;
ALTER SEQUENCE engine.lane_id_seq RENAME TO concurrency_group_id_seq;
ALTER SEQUENCE engine.turn RENAME TO claim_order;

-- The result of a step.
ALTER TABLE engine.memo RENAME TO step_result;
ALTER TABLE engine.step_result RENAME CONSTRAINT memo_pkey TO step_result_pkey;
ALTER TABLE engine.step_result RENAME CONSTRAINT memo_run_id_fkey TO step_result_run_id_fkey;
ALTER SEQUENCE engine.memo_position_seq RENAME TO step_result_position_seq;

-- The id of an event, which counts once in 24 hours.
ALTER TABLE engine.seen RENAME TO processed_event;
ALTER TABLE engine.processed_event RENAME COLUMN at TO processed_at;
ALTER TABLE engine.processed_event RENAME CONSTRAINT seen_pkey TO processed_event_pkey;
ALTER INDEX engine.seen_at RENAME TO processed_event_processed_at;

-- A process that runs jobs.
ALTER TABLE engine.worker RENAME TO instance;
ALTER TABLE engine.instance RENAME COLUMN until TO lease_expires_at;
ALTER TABLE engine.instance RENAME CONSTRAINT worker_pkey TO instance_pkey;

ALTER TABLE engine.event RENAME COLUMN n TO position;
ALTER SEQUENCE engine.event_n_seq RENAME TO event_position_seq;

ALTER TABLE engine.run RENAME COLUMN lane_id TO concurrency_group_id;
ALTER TABLE engine.run RENAME COLUMN pending TO pending_steps;
ALTER TABLE engine.run RENAME CONSTRAINT run_pending_check TO run_pending_steps_check;
ALTER TABLE engine.run RENAME CONSTRAINT run_ended TO run_ended_has_ended_at;

ALTER TABLE engine.job RENAME COLUMN lane_id TO concurrency_group_id;
ALTER TABLE engine.job RENAME COLUMN taken_by TO instance_id;
ALTER TABLE engine.job RENAME COLUMN planned_at TO scheduled_at;
ALTER TABLE engine.job RENAME CONSTRAINT job_later_has_a_time TO job_later_has_due_at;
ALTER TABLE engine.job RENAME CONSTRAINT job_taken_has_an_owner TO job_claimed_has_instance;
ALTER INDEX engine.job_run RENAME TO job_run_id;
ALTER INDEX engine.job_taken RENAME TO job_claimed;

ALTER TABLE engine.wait RENAME COLUMN after TO after_position;
ALTER INDEX engine.wait_run RENAME TO wait_run_id;
-- No function has ever set it: runs can be canceled as long as they are active.
ALTER TABLE engine.wait DROP COLUMN until;
