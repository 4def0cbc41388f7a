-- Price books (docs/decisions/0130-price-books.md).

CREATE TABLE book_revision (
  id serial PRIMARY KEY,
  -- YAML.
  source text NOT NULL,
  -- What each book makes of prices, by its id, for the audit.
  terms jsonb NOT NULL,
  applied_at timestamptz(3) NOT NULL
);

ALTER TABLE account
  -- Null for the catalogue's prices.
  ADD COLUMN book text,
  -- The book from `next_book_at` on.
  ADD COLUMN next_book text,
  ADD COLUMN next_book_at timestamptz(3),
  -- How many generations it may run at once, if its book says so; at most RUNNING_PER_ACCOUNT count.
  ADD COLUMN max_running integer;

-- Accounts have limits of tokens too, under an id that is made of theirs.
ALTER TABLE key_rate DROP CONSTRAINT key_rate_key_id_fkey;

CREATE INDEX account_next_book_at ON account (next_book_at) WHERE next_book_at IS NOT NULL;

-- Returns what an account was charged since the beginning of the month (UTC) of a time: the sums that exist, and what the
-- ledger has since.
CREATE FUNCTION account_month_volume(account integer, at timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT sum(s.billed) FROM usage_sum s
                   WHERE s.account_id = account AND s.grain = 'month' AND s.at = date_trunc('month', $2, 'UTC')), 0)::bigint
       - coalesce((SELECT sum(e.amount) FROM ledger_entry e
                   WHERE e.account_id = account AND e.kind = 'charge' AND e.created_at >= date_trunc('month', $2, 'UTC')
                     AND e.id > coalesce((SELECT m.entry_id FROM usage_mark m WHERE m.account_id = account), 0)), 0)::bigint
$$;
