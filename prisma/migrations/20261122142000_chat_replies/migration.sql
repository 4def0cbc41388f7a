-- Replies of chats, for accounts that choose to keep them, and the tokens of every chat.
ALTER TABLE account
  -- For how many days replies are kept; null if they are not.
  ADD COLUMN reply_retention_days integer CHECK (reply_retention_days BETWEEN 1 AND 30);

-- Without checks, which would read the whole table while it is locked.
ALTER TABLE generation
  ADD COLUMN input_tokens integer,
  ADD COLUMN output_tokens integer;

CREATE TABLE chat_reply (
  generation_id uuid PRIMARY KEY REFERENCES generation (id),
  account_id integer NOT NULL REFERENCES account (id),
  -- The `choices` of the completion as JSON text, because jsonb rejects characters that a reply may contain.
  choices text NOT NULL,
  created_at timestamptz(3) NOT NULL
);

CREATE INDEX chat_reply_account_id_created_at_idx ON chat_reply (account_id, created_at);
