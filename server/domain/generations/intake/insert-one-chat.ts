import {
  array,
  bool,
  bytea,
  int4,
  int8,
  json,
  jsonbText,
  nullable,
  text,
  timestamptz,
  uuid,
} from "../../../db/column-types";
import { type RowOf, statement } from "../../../db/statement";
import { reserveAmountSql } from "../../accounts/sql";
import type { PendingDelivery } from "../../events";

const params = {
  id: uuid,
  account_id: int4,
  key_id: nullable(uuid),
  person_id: nullable(int4),
  model: text,
  input: jsonbText,
  estimated_cost: int8,
  price: jsonbText,
  provider: text,
  metadata: nullable(jsonbText),
  end_user: nullable(text),
  idempotency_key: nullable(text),
  fingerprint: nullable(bytea),
  facade: text,
  request_digest: nullable(bytea),
  keeps_nothing: bool,
  timeout_seconds: int4,
  created_at: timestamptz,
  started_at: timestamptz,
  deadline_at: timestamptz,
  words: array(text),
  limits_version: int4,
};

/** A chat to insert, and the version of its account's limits when its key was looked up. */
export type OneChat = RowOf<typeof params>;

/**
 * Holds the estimate of one chat and inserts it, as the plain form for several does: without JSON, sums and an order of rows
 * Postgres needs two thirds of the time (decision 145).
 */
export const insertOneChat = statement({
  params,
  row: { id: uuid, deliveries: nullable(json<PendingDelivery[]>()), commits_async: nullable(text) },
  shownIn: "server/domain/generations/intake/insert-one-chat.sql",
  text: `
    WITH ${reserveAmountSql},
    -- The chat, if its account can pay for it.
    accepted AS (
      INSERT INTO generation (id, account_id, key_id, person_id, model, is_llm, status, input, estimated_cost, price, provider,
                              metadata, end_user, idempotency_key, fingerprint, facade, request_digest, keeps_nothing,
                              timeout_seconds, created_at, started_at, deadline_at)
      SELECT :id, account_id, :key_id, :person_id, :model, true, 'running', :input, :estimated_cost, :price, :provider,
             :metadata, :end_user, :idempotency_key, :fingerprint, :facade, :request_digest, :keeps_nothing,
             :timeout_seconds, :created_at, :started_at, :deadline_at
      FROM held
      RETURNING id
    ),
    -- The words by which it is found.
    searchable AS (
      INSERT INTO generation_words (generation_id, words) SELECT id, array_to_tsvector(:words) FROM accepted
    )
    SELECT id, NULL::json AS deliveries, set_config('synchronous_commit', 'off', true) AS commits_async FROM accepted`,
});
