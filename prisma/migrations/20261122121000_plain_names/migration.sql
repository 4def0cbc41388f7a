-- Names that say what they hold or do, without a change of any rule, value or JSON member.

-- Columns.
ALTER TABLE account RENAME COLUMN worker_turn TO last_lease_number;
ALTER SEQUENCE worker_turn RENAME TO lease_number;
ALTER TABLE generation RENAME COLUMN nudged_at TO dispatched_at;
ALTER TABLE generation RENAME COLUMN answer TO stored_answer;
ALTER TABLE generation RENAME COLUMN outside_inputs TO external_inputs;
ALTER TABLE generation RENAME COLUMN gpu_ms_before TO gpu_ms_before_lease;
ALTER TABLE endpoint RENAME COLUMN place TO position;
ALTER TABLE endpoint RENAME COLUMN previous_until TO previous_secret_expires_at;
ALTER TABLE delivery RENAME COLUMN nudge_at TO redispatch_at;
ALTER TABLE delivery RENAME COLUMN planned_at TO scheduled_at;

-- Functions and triggers.
ALTER FUNCTION generation_is_sound(generation) RENAME TO generation_is_valid;
ALTER FUNCTION generation_moves_as_allowed() RENAME TO check_generation_transition;
ALTER TRIGGER generation_moves_as_allowed ON generation RENAME TO check_generation_transition;
ALTER FUNCTION worker_job_is_told() RENAME TO notify_worker_job;
ALTER TRIGGER worker_job_is_told_new ON generation RENAME TO notify_inserted_worker_job;
ALTER TRIGGER worker_job_is_told ON generation RENAME TO notify_queued_worker_job;
ALTER FUNCTION ledger_is_append_only() RENAME TO reject_ledger_change;
ALTER TRIGGER ledger_is_append_only ON ledger_entry RENAME TO reject_ledger_change;
ALTER TRIGGER ledger_is_never_truncated ON ledger_entry RENAME TO reject_ledger_truncate;

-- The function that reads a renamed column.
CREATE OR REPLACE FUNCTION generation_is_valid(g generation) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  -- As in a CHECK, what is unknown passes.
  RETURN g.status IN ('queued', 'running', 'succeeded', 'failed', 'canceled', 'awaiting_supply')
    AND g.timeout_seconds > 0
    -- Money: within the estimate, only for what was settled, and no success without it.
    AND g.estimated_cost >= 0
    AND g.excess_cost >= 0
    AND g.billed_cost BETWEEN 0 AND g.estimated_cost
    AND (g.billed_cost IS NULL OR g.settled_at IS NOT NULL)
    AND (g.status <> 'succeeded' OR g.billed_cost IS NOT NULL)
    -- States and their times.
    AND (g.status IN ('succeeded', 'failed', 'canceled')) = (g.completed_at IS NOT NULL)
    AND (g.completed_at IS NULL) = (g.settled_at IS NULL)
    AND (g.status NOT IN ('running', 'succeeded') OR g.started_at IS NOT NULL)
    AND (g.status NOT IN ('queued', 'awaiting_supply') OR g.started_at IS NULL OR g.fence > 0)
    AND (g.status = 'failed') = (g.error IS NOT NULL)
    AND g.progress BETWEEN 0 AND 1
    AND (g.progress < 1 OR g.status = 'succeeded')
    -- What is awaited.
    AND CASE g.status
          WHEN 'awaiting_supply' THEN
            g.missing IS NOT NULL AND jsonb_array_length(g.missing) > 0
            AND g.deadline_at IS NOT NULL AND g.started_at IS NULL
          ELSE g.missing IS NULL OR (g.status IN ('failed', 'canceled') AND g.started_at IS NULL)
        END
    -- Idempotency.
    AND length(g.idempotency_key) BETWEEN 1 AND 255
    AND octet_length(g.fingerprint) = 32
    AND (g.idempotency_key IS NULL OR g.fingerprint IS NOT NULL)
    -- Leases are workers', whole, and their GPU time was both seen and priced.
    AND g.fence >= 0
    AND (g.fence = 0 OR g.provider = 'worker')
    AND (g.fence = 0) = (g.leased_at IS NULL)
    AND (g.leased_at IS NULL) = (g.lease_expires_at IS NULL)
    AND (g.leased_at IS NULL) = (g.metered_at IS NULL)
    AND g.gpu_ms_before_lease BETWEEN 0 AND g.gpu_ms
    AND g.gpu_ms - g.gpu_ms_before_lease <= coalesce(extract(epoch FROM g.metered_at - g.leased_at) * 1000, 0)
    AND g.gpu_ms <= coalesce((g.price->>'most_seconds')::bigint * 1000, 0)
    -- Trainings are workers' too.
    AND (g.character_id IS NULL) = (g.character_version IS NULL)
    AND (g.character_id IS NULL OR g.provider = 'worker')
    -- What the job engine runs has a run with a claim on it, so that another run can take it over.
    AND (g.claim_expires_at IS NULL OR g.run_id IS NOT NULL)
    AND (g.status <> 'running' OR g.is_llm OR g.provider = 'worker' OR g.claim_expires_at IS NOT NULL);
END $$;

-- Constraints.
ALTER TABLE account RENAME CONSTRAINT account_holds_are_covered TO account_balance_covers_reserved;
ALTER TABLE api_key RENAME CONSTRAINT api_key_reset_has_a_limit TO api_key_reset_needs_limit;
ALTER TABLE attempt RENAME CONSTRAINT attempt_check TO attempt_ended_has_outcome;
ALTER TABLE delivery RENAME CONSTRAINT delivery_check TO delivery_pending_has_not_ended;
ALTER TABLE delivery RENAME CONSTRAINT delivery_check1 TO delivery_pending_has_times;
ALTER TABLE delivery_attempt RENAME CONSTRAINT delivery_attempt_check TO delivery_attempt_has_status_or_error;
ALTER TABLE endpoint RENAME CONSTRAINT endpoint_place_check TO endpoint_position_check;
ALTER TABLE endpoint RENAME CONSTRAINT endpoint_check TO endpoint_previous_secret_expires;
ALTER TABLE event RENAME CONSTRAINT event_check TO event_has_snapshot_or_data;
ALTER TABLE file RENAME CONSTRAINT file_check TO file_output_has_index;
ALTER TABLE file RENAME CONSTRAINT file_check1 TO file_stored_has_sha256;
ALTER TABLE generation RENAME CONSTRAINT generation_is_sound TO generation_is_valid;
ALTER TABLE input_copy RENAME CONSTRAINT input_copy_is_whole TO input_copy_is_complete;
ALTER TABLE ledger_entry RENAME CONSTRAINT ledger_charge_names_its_generation TO ledger_entry_charge_has_generation;
ALTER TABLE ledger_entry RENAME CONSTRAINT ledger_charge_takes TO ledger_entry_charge_is_negative;

-- Indexes.
ALTER INDEX delivery_nudge RENAME TO delivery_redispatch;
ALTER INDEX endpoint_place RENAME TO endpoint_position;
ALTER INDEX event_age RENAME TO event_created_at_idx;
ALTER INDEX delivery_event RENAME TO delivery_event_n_idx;
ALTER INDEX file_held RENAME TO file_stored_sha256;
ALTER INDEX file_removed RENAME TO file_removed_sha256;
ALTER INDEX file_expiry RENAME TO file_expires_at;
ALTER INDEX generation_answered RENAME TO generation_stored_answer;
ALTER INDEX generation_awaited RENAME TO generation_missing_files;
ALTER INDEX generation_waits_for_supply RENAME TO generation_awaiting_supply;
ALTER INDEX generation_claimable_of_account RENAME TO generation_claimable_by_account;
ALTER INDEX generation_fetching RENAME TO generation_fetching_inputs;
ALTER INDEX generation_leased RENAME TO generation_lease_expiry;
ALTER INDEX generation_nudged RENAME TO generation_dispatched;
ALTER INDEX generation_waiting RENAME TO generation_waiting_for_slot;
ALTER INDEX generation_training_open RENAME TO generation_unsettled_training;
