import { int4, int8, jsonbText, nullable, textOf, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { SpendReset } from "./period";

const limitColumns = { spend_limit: nullable(int8), spend_limit_reset: nullable(textOf<NonNullable<SpendReset>>()) };

/**
 * Changes an API key that is not revoked and returns its limit; no row when there is none. Parameters: its id, the account,
 * the members to change as JSON, and the time. A limit is changed by `changeKey`, which also updates what is spent.
 */
export const updateKey = statement({
  params: [uuid, int4, jsonbText, timestamptz],
  row: limitColumns,
  text: `
    UPDATE api_key SET
      name = coalesce($3::jsonb->>'name', name),
      expires_at = CASE WHEN $3::jsonb ? 'expires_at' THEN ($3::jsonb->>'expires_at')::timestamptz ELSE expires_at END,
      allowed_models = CASE WHEN $3::jsonb ? 'allowed_models' THEN nullif($3::jsonb->'allowed_models', 'null') ELSE allowed_models END,
      paused_at = CASE ($3::jsonb->>'paused')::boolean WHEN true THEN coalesce(paused_at, $4) WHEN false THEN NULL ELSE paused_at END,
      spend_limit = CASE WHEN $3::jsonb ? 'spend_limit' THEN ($3::jsonb->>'spend_limit')::bigint ELSE spend_limit END,
      spend_limit_reset = CASE WHEN $3::jsonb ? 'spend_limit_reset' THEN $3::jsonb->>'spend_limit_reset' ELSE spend_limit_reset END
    WHERE id = $1 AND account_id = $2 AND scope = 'api' AND revoked_at IS NULL
    RETURNING spend_limit, spend_limit_reset`,
});

/** Locks an API key that is not revoked and returns its limit; no row when there is none. Parameters: its id, the account. */
export const lockKey = statement({
  params: [uuid, int4],
  row: limitColumns,
  text: `
    SELECT spend_limit, spend_limit_reset FROM api_key
    WHERE id = $1 AND account_id = $2 AND scope = 'api' AND revoked_at IS NULL FOR NO KEY UPDATE`,
});
