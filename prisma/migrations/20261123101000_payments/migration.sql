-- Money that customers pay (docs/decisions/0061-payments.md). Amounts are cents.
CREATE TABLE payment (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  provider text NOT NULL CHECK (provider IN ('stripe', 'manual')),
  kind text NOT NULL CHECK (kind IN ('top_up', 'automatic', 'manual')),
  state text NOT NULL CHECK (state IN ('pending', 'paid', 'failed', 'expired')),
  -- What is credited; the tax is paid in addition and known once it is paid.
  amount integer NOT NULL CHECK (amount > 0),
  tax integer NOT NULL DEFAULT 0 CHECK (tax >= 0),
  currency text NOT NULL DEFAULT 'EUR' CHECK (currency = 'EUR'),
  -- What the provider calls it: a Checkout Session, an invoice, the operator's reference.
  provider_ref text,
  -- The provider's name of the charge, to which refunds and disputes refer.
  intent_ref text,
  saves_method boolean NOT NULL DEFAULT false,
  note text,
  -- Cumulative sums with tax, as the provider says; none ever falls.
  refunded integer NOT NULL DEFAULT 0,
  refund_failed integer NOT NULL DEFAULT 0,
  disputed integer NOT NULL DEFAULT 0,
  reinstated integer NOT NULL DEFAULT 0,
  -- What is taken back of the credited amount now, without tax.
  refund_booked integer NOT NULL DEFAULT 0,
  dispute_booked integer NOT NULL DEFAULT 0,
  failure_code text,
  -- Why the provider's state could not be applied.
  error text,
  invoice_url text,
  created_at timestamptz(3) NOT NULL,
  -- When a charge of a saved method was sent; it is sent once.
  sent_at timestamptz(3),
  -- When it was paid or had failed.
  settled_at timestamptz(3),
  -- When the provider is asked without an event.
  next_check_at timestamptz(3),
  CONSTRAINT payment_is_settled_once_final CHECK ((state = 'pending') = (settled_at IS NULL)),
  CONSTRAINT payment_is_checked_while_pending CHECK (state = 'pending' OR next_check_at IS NULL),
  CONSTRAINT payment_sums_are_consistent CHECK (refund_failed >= 0 AND refunded >= refund_failed AND reinstated >= 0 AND disputed >= reinstated),
  CONSTRAINT payment_reversals_are_covered CHECK (refund_booked >= 0 AND dispute_booked >= 0 AND refund_booked + dispute_booked <= amount),
  CONSTRAINT payment_reversed_was_paid CHECK (state = 'paid' OR refund_booked + dispute_booked = 0),
  CONSTRAINT payment_manual_is_paid CHECK ((kind = 'manual') = (provider = 'manual') AND (kind <> 'manual' OR state = 'paid')),
  UNIQUE (provider, provider_ref),
  UNIQUE (provider, intent_ref)
);
CREATE INDEX payment_by_account ON payment (account_id, id);
CREATE INDEX payment_to_check ON payment (next_check_at) WHERE next_check_at IS NOT NULL;
-- An account has one automatic charge under way: this row is the lock.
CREATE UNIQUE INDEX payment_automatic_pending ON payment (account_id) WHERE kind = 'automatic' AND state = 'pending';

-- A refund that an operator asked for. It is booked before it is sent to the provider.
CREATE TABLE payment_refund (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payment,
  -- With tax.
  amount integer NOT NULL CHECK (amount > 0),
  state text NOT NULL CHECK (state IN ('refunding', 'refunded', 'failed')),
  provider_ref text,
  reason text NOT NULL CHECK (char_length(reason) <= 1000),
  error text,
  created_at timestamptz(3) NOT NULL,
  settled_at timestamptz(3),
  CONSTRAINT payment_refund_is_settled_once_final CHECK ((state = 'refunding') = (settled_at IS NULL))
);
CREATE INDEX payment_refund_by_payment ON payment_refund (payment_id);
CREATE INDEX payment_refund_open ON payment_refund (created_at) WHERE state = 'refunding';

-- What a provider reported. It says only which payment to look up.
CREATE TABLE payment_event (
  provider text NOT NULL,
  event_id text NOT NULL,
  kind text NOT NULL,
  -- The provider's names of what it is about: of the payment, the charge, the customer.
  ref text,
  intent_ref text,
  customer_ref text,
  received_at timestamptz(3) NOT NULL,
  applied_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3),
  error text,
  PRIMARY KEY (provider, event_id),
  CONSTRAINT payment_event_is_tried_until_applied CHECK ((applied_at IS NULL) = (next_attempt_at IS NOT NULL))
);
CREATE INDEX payment_event_due ON payment_event (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX payment_event_age ON payment_event (received_at);

-- An account at a provider, and the method that it saved there.
CREATE TABLE payment_customer (
  account_id integer PRIMARY KEY REFERENCES account,
  provider text NOT NULL,
  customer_ref text NOT NULL,
  method_ref text,
  -- Such as "Visa •••• 4242".
  method_label text,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT payment_customer_labels_method CHECK ((method_ref IS NULL) = (method_label IS NULL)),
  UNIQUE (provider, customer_ref)
);

-- Charges of the saved method when the available balance falls below a threshold.
CREATE TABLE automatic_top_up (
  account_id integer PRIMARY KEY REFERENCES account,
  state text NOT NULL CHECK (state IN ('on', 'off', 'paused')),
  -- Why it is paused.
  reason text,
  threshold integer NOT NULL CHECK (threshold > 0),
  target integer NOT NULL,
  monthly_cap integer NOT NULL,
  declines integer NOT NULL DEFAULT 0 CHECK (declines >= 0),
  next_attempt_at timestamptz(3),
  -- When the people who may pay were told that it is paused.
  notified_at timestamptz(3),
  person_id integer NOT NULL REFERENCES person,
  changed_at timestamptz(3) NOT NULL,
  CONSTRAINT automatic_top_up_pause_has_reason CHECK ((state = 'paused') = (reason IS NOT NULL)),
  CONSTRAINT automatic_top_up_amounts CHECK (target >= threshold + 500 AND monthly_cap >= target - threshold)
);
CREATE INDEX automatic_top_up_on ON automatic_top_up (account_id) WHERE state = 'on';
CREATE INDEX automatic_top_up_to_notify ON automatic_top_up (account_id) WHERE state = 'paused' AND notified_at IS NULL;

ALTER TABLE endpoint DROP CONSTRAINT endpoint_events_check,
  ADD CONSTRAINT endpoint_events_check CHECK (cardinality(events) > 0 AND events <@ ARRAY[
    'generation.running', 'generation.completed', 'payment.succeeded', 'payment.failed', 'payment.refunded']);
