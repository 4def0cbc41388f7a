import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** The folders that write each table. Others call a verb of these, or compose SQL that these export. */
const owners: Record<string, string[]> = {
  account: ["server/domain/accounts/"],
  person: ["server/domain/passwords/", "server/domain/people/"],
  announcement: ["server/domain/announcements/"],
  money_hour: ["server/domain/operations/"],
  account_note: ["server/domain/operations/"],
  audit_verdict: ["server/domain/audit/"],
  ledger_closing: ["server/domain/audit/"],
  account_closing: ["server/domain/audit/"],
  billing_closing: ["server/domain/audit/"],
  invitation: ["server/domain/members/"],
  account_view: ["server/domain/views/"],
  operator_action: ["server/domain/operator-actions/"],
  operator_action_text: ["server/domain/operator-actions/"],
  membership: ["server/domain/people/"],
  password_reset: ["server/domain/passwords/"],
  api_key: ["server/domain/credentials/", "server/domain/keys/"],
  connection: ["server/domain/connections/"],
  rejected_request: ["server/domain/rejections/"],
  rejected_request_count: ["server/domain/rejections/"],
  passkey: ["server/domain/factors/"],
  passkey_challenge: ["server/domain/factors/"],
  totp: ["server/domain/factors/"],
  recovery_code: ["server/domain/factors/"],
  recovery_key: ["server/domain/factors/"],
  session: ["server/domain/sessions/"],
  identity: ["server/domain/identities/"],
  worker_token: ["server/domain/workers/"],
  generation: [
    "server/domain/generations/attempts/",
    "server/domain/generations/end/",
    "server/domain/generations/intake/",
    "server/domain/generations/queue/",
    "server/domain/generations/replay/",
    "server/domain/generations/run/",
  ],
  generation_words: ["server/domain/generations/intake/", "server/domain/generations/search/"],
  chat_reply: ["server/domain/generations/end/"],
  vector_piece: ["server/domain/openai/"],
  attempt: ["server/domain/generations/attempts/", "server/domain/generations/end/", "server/domain/generations/run/"],
  route_wait: ["server/domain/generations/queue/"],
  provider_spending: ["server/domain/generations/queue/"],
  route_health: ["server/domain/routing/"],
  character: ["server/domain/characters/"],
  key_spending: ["server/domain/ledger/"],
  ledger_entry: ["server/domain/ledger/"],
  billing_total: ["server/domain/ledger/"],
  payment: [
    "server/domain/payment-records/",
    "server/domain/payments/",
    "server/domain/reconciliation/",
    "server/domain/top-ups/",
  ],
  payment_refund: ["server/domain/payments/", "server/domain/reconciliation/"],
  payment_event: ["server/domain/reconciliation/"],
  payment_customer: ["server/domain/payment-customers/"],
  automatic_top_up: ["server/domain/payment-customers/", "server/domain/payments/", "server/domain/top-ups/"],
  // A restore ends the files whose content its backup does not have.
  file: ["server/domain/files/", "server/domain/uploads/", "server/process/backup/"],
  rate_limit: ["server/domain/rates/"],
  direct_upload: ["server/domain/files/", "server/domain/uploads/"],
  input_copy: ["server/domain/input-files/"],
  endpoint: ["server/domain/deliveries/", "server/domain/endpoints/"],
  // A statement that changes a generation inserts these; what happens to them later is above generations.
  event: ["server/domain/deliveries/", "server/domain/envelopes/", "server/domain/events/"],
  delivery: ["server/domain/deliveries/", "server/domain/endpoints/", "server/domain/events/"],
  delivery_attempt: ["server/domain/deliveries/"],
  catalogue_revision: ["server/catalogue/"],
  offered_model: ["server/catalogue/"],
  _prisma_migrations: ["server/db/"],
  // The schema of the embedded engine.
  engine: ["inngest/embedded/"],
};

const files = ["app", "server", "inngest"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, "/")))
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name)),
);

// In SQL, through the Prisma client, and by `createTouch`, which updates one column of a table.
const writes = [
  /\b(?:INSERT INTO|DELETE FROM|(?<!FOR |KEY |DO )UPDATE)\s+(?:ONLY\s+)?(?:public\.|(?!pg_temp\.))"?(\w+)/g,
  /\bprisma\s*\.(\w+)\s*\.(?:create|update|upsert|delete)/g,
  /\bcreateTouch\(\w+, "(\w+)\./g,
];
const toTable = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const findWrites = (text: string) =>
  writes.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name]) => toTable(name!)));
const found = files.flatMap((file) => findWrites(readFileSync(file, "utf8")).map((table) => ({ file, table })));

test("every table has an owner", () => {
  const tables = [...readFileSync("prisma/schema.prisma", "utf8").matchAll(/@@map\("(\w+)"\)/g)].map(
    ([, name]) => name!,
  );
  expect(tables.filter((table) => !(table in owners))).toEqual([]);
  const written = new Set(found.map(({ table }) => table));
  expect(Object.keys(owners).filter((table) => !written.has(table))).toEqual([]);
});

test("a table is written only in the folders of its owner", () => {
  expect(found.filter(({ file, table }) => !owners[table]?.some((folder) => file.startsWith(folder)))).toEqual([]);
});

test.each([
  ["UPDATE account SET running = 1", ["account"]],
  ["WITH a AS (INSERT INTO\n event (id) VALUES (1)) DELETE FROM delivery", ["event", "delivery"]],
  ["SELECT FROM account FOR NO KEY UPDATE OF account", []],
  ["INSERT INTO key_spending AS s VALUES (1) ON CONFLICT (key_id) DO UPDATE SET reserved = 1", ["key_spending"]],
  ["hub.db.prisma.apiKey.updateMany({})", ["api_key"]],
  ["hub.db.prisma.apiKey.findMany({})", []],
  ['createTouch(hub, "session.last_seen_at")', ["session"]],
])("%s writes %j", (text, tables) => {
  expect(findWrites(text).sort()).toEqual([...tables].sort());
});
