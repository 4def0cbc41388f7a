-- What tax returns need (docs/decisions/0132-tax-lines.md).

-- Where a customer is, and its VAT id.
CREATE TABLE tax_profile (
  account_id integer PRIMARY KEY REFERENCES account,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  vat_id text CHECK (vat_id ~ '^[A-Z0-9+*]{4,20}$'),
  changed_at timestamptz(3) NOT NULL
);

-- The last number of a series in a year. It is raised in the transaction that uses it, so numbers have no gaps.
CREATE TABLE tax_series (
  kind text NOT NULL CHECK (kind IN ('supply', 'refund')),
  year integer NOT NULL,
  last_number integer NOT NULL CHECK (last_number > 0),
  PRIMARY KEY (kind, year)
);

-- A supply or its correction, with the customer's tax profile at that time. Amounts are cents, negative for what is taken back.
CREATE TABLE tax_line (
  id bigserial PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payment,
  kind text NOT NULL CHECK (kind IN ('supply', 'refund', 'dispute')),
  net integer NOT NULL,
  tax integer NOT NULL,
  country text,
  vat_id text,
  treatment text NOT NULL CHECK (treatment IN ('taxed', 'reverse_charge', 'outside_eu', 'untaxed')),
  -- For what has no invoice of a payment provider.
  year integer,
  number integer,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT tax_line_number_is_complete CHECK ((year IS NULL) = (number IS NULL)),
  UNIQUE (kind, year, number)
);
CREATE INDEX tax_line_by_time ON tax_line (created_at);
CREATE INDEX tax_line_by_payment ON tax_line (payment_id);
