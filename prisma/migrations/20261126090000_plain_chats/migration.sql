-- Each statement parses every CHECK of the tables that it writes, so the rules of these four are functions, which a connection
-- parses once (decision 15). The rows that are there met the same rules, so they are not read again.
ALTER TABLE generation DROP CONSTRAINT generation_token_classes_within_totals;
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
    AND (g.status <> 'running' OR g.is_llm OR g.provider = 'worker' OR g.claim_expires_at IS NOT NULL)
    -- The classes of a total exclude each other, so together they are at most the total.
    AND (g.token_classes IS NULL OR (
      coalesce((g.token_classes ->> 'cached_input')::int, 0) + coalesce((g.token_classes ->> 'cache_write')::int, 0)
        + coalesce((g.token_classes ->> 'cache_write_long')::int, 0) + coalesce((g.token_classes ->> 'audio_input')::int, 0)
        + coalesce((g.token_classes ->> 'image_input')::int, 0) <= g.input_tokens
      AND coalesce((g.token_classes ->> 'reasoning')::int, 0) + coalesce((g.token_classes ->> 'audio_output')::int, 0)
        <= g.output_tokens));
END $$;

CREATE FUNCTION account_is_valid(a account) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN a.email = lower(a.email)
    -- The balance covers what is held, and an account that owes has nothing available.
    AND a.reserved BETWEEN 0 AND a.balance
    AND a.owed >= 0
    AND (a.owed = 0 OR a.balance = a.reserved)
    AND a.running >= 0
    AND a.upload_bytes >= 0
    AND a.sign_up_credit > 0
    AND a.reply_retention_days BETWEEN 1 AND 30;
END $$;
ALTER TABLE account
  ADD CONSTRAINT account_is_valid CHECK (account_is_valid(account)) NOT VALID,
  DROP CONSTRAINT account_email_check,
  DROP CONSTRAINT account_balance_covers_reserved,
  DROP CONSTRAINT account_reserved_check,
  DROP CONSTRAINT account_owed_is_not_negative,
  DROP CONSTRAINT account_owes_without_available,
  DROP CONSTRAINT account_running_check,
  DROP CONSTRAINT account_upload_bytes_check,
  DROP CONSTRAINT account_sign_up_credit_check,
  DROP CONSTRAINT account_reply_retention_days_check;

CREATE FUNCTION attempt_is_valid(a attempt) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN a.n >= 1
    AND a.outcome IN ('succeeded', 'failed', 'refused', 'canceled', 'lost')
    AND a.cause IN ('job', 'account', 'capacity', 'outage')
    AND (a.ended_at IS NULL) = (a.outcome IS NULL)
    AND a.cost >= 0
    AND a.budget_cost >= 0
    AND a.queue_position >= 0
    AND octet_length(a.upstream_id) <= 4096
    AND jsonb_typeof(a.passed_over) = 'array';
END $$;
ALTER TABLE attempt
  ADD CONSTRAINT attempt_is_valid CHECK (attempt_is_valid(attempt)) NOT VALID,
  DROP CONSTRAINT attempt_n_check,
  DROP CONSTRAINT attempt_outcome_check,
  DROP CONSTRAINT attempt_cause_check,
  DROP CONSTRAINT attempt_ended_has_outcome,
  DROP CONSTRAINT attempt_cost_check,
  DROP CONSTRAINT attempt_budget_cost_check,
  DROP CONSTRAINT attempt_queue_position_check,
  DROP CONSTRAINT attempt_upstream_id_is_short,
  DROP CONSTRAINT attempt_passed_over_check;

CREATE FUNCTION ledger_entry_is_valid(e ledger_entry) RETURNS boolean LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN e.kind IN ('credit', 'charge', 'refund', 'dispute', 'repayment')
    AND e.amount <> 0
    AND (e.kind NOT IN ('charge', 'repayment') OR e.amount < 0)
    AND (e.kind = 'charge') = (e.generation_id IS NOT NULL);
END $$;
ALTER TABLE ledger_entry
  ADD CONSTRAINT ledger_entry_is_valid CHECK (ledger_entry_is_valid(ledger_entry)) NOT VALID,
  DROP CONSTRAINT ledger_entry_kind_check,
  DROP CONSTRAINT ledger_entry_amount_check,
  DROP CONSTRAINT ledger_entry_charge_is_negative,
  DROP CONSTRAINT ledger_entry_repayment_is_negative,
  DROP CONSTRAINT ledger_entry_charge_has_generation;

-- A short statement holds and settles the money of accounts without spend limits and without followers of events. It fails
-- when that has changed since the request looked up its key (decision 112).
CREATE FUNCTION reject_changed_account() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the account''s limits or followers have changed' USING ERRCODE = 'HB001';
END $$;
