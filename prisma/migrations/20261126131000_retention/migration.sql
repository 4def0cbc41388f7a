-- Retention and erasure of content (docs/decisions/0123-retention.md).
ALTER TABLE generation
  -- When its content was erased.
  ADD COLUMN erased_at timestamptz(3),
  -- Whether its content is erased once it has ended and its outputs were fetched, or an hour later.
  ADD COLUMN keeps_nothing boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT generation_erased_has_no_content CHECK (
    erased_at IS NULL OR (
      completed_at IS NOT NULL AND input = '{}' AND metadata IS NULL AND end_user IS NULL AND missing IS NULL
      AND external_inputs IS NULL AND stored_answer IS NULL AND request_digest IS NULL AND joinable_at IS NULL
      AND video IS NULL AND webhook IS NULL
    )
  ) NOT VALID;

-- When one of its generations was erased, and with it what could tell of the request.
ALTER TABLE batch ADD COLUMN erased_at timestamptz(3);

-- When the owner had fetched all of it; only for outputs of generations that keep nothing.
ALTER TABLE file ADD COLUMN fetched_at timestamptz(3);

-- Whether what it starts keeps nothing.
ALTER TABLE account ADD COLUMN keeps_nothing boolean NOT NULL DEFAULT false;
ALTER TABLE api_key ADD COLUMN keeps_nothing boolean NOT NULL DEFAULT false;

-- For how many days an account keeps content; null for as long as the hub does.
CREATE TABLE account_retention (
  account_id integer PRIMARY KEY REFERENCES account,
  input_days integer,
  output_days integer,
  word_days integer,
  label_days integer,
  request_log_days integer,
  -- Erases the content of all generations that were created before.
  erase_before timestamptz(3),
  CONSTRAINT account_retention_is_positive CHECK (
    least(input_days, output_days, word_days, label_days, request_log_days) BETWEEN 1 AND 36500
    AND greatest(input_days, output_days, word_days, label_days, request_log_days) <= 36500)
);

-- Up to which generation the content of a kind is erased, so that each generation is visited once.
CREATE TABLE retention_mark (
  account_id integer NOT NULL REFERENCES account,
  content text NOT NULL,
  erased_until uuid NOT NULL,
  PRIMARY KEY (account_id, content)
);
