import { expect, test } from "vitest";
import { testHub } from "../hub";

const hub = await testHub();

const isValid = async (table: string, row: object) => {
  const [checked] = await hub.db.query<{ valid: boolean | null }>(
    `SELECT ${table}_is_valid(jsonb_populate_record(NULL::${table}, $1)) AS valid`,
    [row],
  );
  return checked!.valid;
};

const account = {
  email: "a@example.org",
  balance: 5,
  promotional: 0,
  reserved: 0,
  owed: 0,
  running: 0,
  upload_bytes: 0,
};
const open = { n: 1 };
const ended = { n: 1, ended_at: "2030-01-01T12:00:00Z", outcome: "failed" };
const id = "00000000-0000-7000-8000-000000000000";

test.each([
  ["account", account],
  ["account", { ...account, reserved: 5, owed: 3, sign_up_credit: 1, reply_retention_days: 30 }],
  ["account", { ...account, promotional: 5, owed: 3 }],
  ["attempt", open],
  [
    "attempt",
    { ...ended, cause: "outage", cost: 0, budget_cost: 0, queue_position: 0, upstream_id: "j", passed_over: [] },
  ],
  ["ledger_entry", { kind: "charge", amount: -1, generation_id: id }],
  ["ledger_entry", { kind: "credit", amount: -1 }],
  ["ledger_entry", { kind: "promotional", amount: -1, promotional: -1 }],
  ["ledger_entry", { kind: "charge", amount: -2, promotional: -1, generation_id: id }],
  ["ledger_entry", { kind: "given_up", amount: -2, promotional: -2 }],
])("the database accepts a row of %s with %j", async (table, row) => {
  expect(await isValid(table, row)).not.toBe(false);
});

test.each([
  ["account", { ...account, email: "A@example.org" }],
  ["account", { ...account, reserved: 6 }],
  ["account", { ...account, reserved: -1 }],
  ["account", { ...account, owed: -1 }],
  ["account", { ...account, owed: 1 }],
  ["account", { ...account, promotional: -1 }],
  ["account", { ...account, promotional: 6 }],
  ["account", { ...account, promotional: 4, owed: 1 }],
  ["account", { ...account, running: -1 }],
  ["account", { ...account, upload_bytes: -1 }],
  ["account", { ...account, sign_up_credit: 0 }],
  ["account", { ...account, reply_retention_days: 0 }],
  ["account", { ...account, reply_retention_days: 31 }],
  ["attempt", { n: 0 }],
  ["attempt", { ...ended, outcome: "unknown" }],
  ["attempt", { ...ended, cause: "unknown" }],
  ["attempt", { ...ended, outcome: null }],
  ["attempt", { ...open, outcome: "failed" }],
  ["attempt", { ...open, cost: -1 }],
  ["attempt", { ...open, budget_cost: -1 }],
  ["attempt", { ...open, queue_position: -1 }],
  ["attempt", { ...open, upstream_id: "j".repeat(4097) }],
  ["attempt", { ...open, passed_over: {} }],
  ["ledger_entry", { kind: "gift", amount: 1 }],
  ["ledger_entry", { kind: "credit", amount: 0 }],
  ["ledger_entry", { kind: "charge", amount: 1, generation_id: id }],
  ["ledger_entry", { kind: "repayment", amount: 1 }],
  ["ledger_entry", { kind: "given_up", amount: 1 }],
  ["ledger_entry", { kind: "charge", amount: -1 }],
  ["ledger_entry", { kind: "promotional", amount: 1, promotional: 0 }],
  ["ledger_entry", { kind: "charge", amount: -1, promotional: -2, generation_id: id }],
  ["ledger_entry", { kind: "refund", amount: -1, promotional: -1 }],
  ["ledger_entry", { kind: "repayment", amount: -1, promotional: -1 }],
  ["ledger_entry", { kind: "credit", amount: 1, generation_id: id }],
])("the database rejects a row of %s with %j", async (table, row) => {
  expect(await isValid(table, row)).toBe(false);
});
