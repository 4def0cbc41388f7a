import type { AccountLimits } from "../../../context";
import type { Queryable } from "../../../db/client";
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
import { statement } from "../../../db/statement";
import { reserveAmountSql } from "../../accounts/sql";
import type { PendingDelivery } from "../../events";
import { type GenerationInsert, listWords } from "./new-generation";

/**
 * Holds the estimate of one chat and inserts it, as the plain form for several does: without JSON, sums and an order of rows
 * Postgres needs two thirds of the time (decision 145).
 */
export const insertOneChat = (db: Queryable, chat: GenerationInsert, limits: AccountLimits) =>
  insertHeld(db, {
    id: chat.id,
    account_id: chat.account_id,
    key_id: chat.key_id,
    person_id: chat.person_id ?? null,
    model: chat.model,
    input: JSON.stringify(chat.input),
    estimated_cost: chat.estimated_cost,
    price: JSON.stringify(chat.price),
    provider: chat.provider,
    metadata: chat.metadata && JSON.stringify(chat.metadata),
    end_user: chat.end_user,
    idempotency_key: chat.idempotency_key,
    fingerprint: chat.fingerprint,
    facade: chat.facade ?? "",
    request_digest: chat.request_digest ?? null,
    keeps_nothing: chat.keeps_nothing ?? false,
    timeout_seconds: chat.timeout_seconds,
    created_at: chat.created_at,
    started_at: chat.started_at!,
    deadline_at: chat.deadline_at!,
    words: listWords(chat),
    limits_version: limits.version,
  });

const insertHeld = statement({
  params: {
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
  },
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
