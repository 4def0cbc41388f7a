-- Reports of `npm run hub -- reconcile`, for the operator's console.
CREATE TABLE bill_report (
  id uuid PRIMARY KEY,
  provider text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  report jsonb NOT NULL
);
CREATE INDEX bill_report_by_provider ON bill_report (provider, id);
