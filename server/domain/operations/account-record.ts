import { contextOf, type Ctx } from "../../context";
import { bool, int4, int8, jsonb, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { newId } from "../../lib/id";
import { toEuros } from "../../lib/money";
import { describeClosure } from "../closures";
import { listEntries, serializeEntry } from "../ledger";
import { listAllKeys, serializeKey } from "../keys";
import { listMembers } from "../members";
import { operate, type Operator } from "../operator-actions";
import { listPayments } from "../payment-records";
import { serializePayment } from "../payments";
import { listStoredGenerations } from "../generations/read";
import { getRetention } from "../retention";
import { listUsageMetadata } from "../usage";
import { listEndpoints, serializeEndpoint } from "../endpoints";
import type { OperationsHub } from "./hub";

const MAX_ROWS = 20;

/** Returns one account as operators see it, without prompts, outputs or files. Throws a 404 when there is none. */
export async function getAccountRecord(hub: OperationsHub, id: number) {
  const account = await findAccount(hub, id);
  const ctx = contextOf(hub, account, { kind: "user" }, "operations");
  const [members, keys, entries, payments, generations, endpoints, notes, actions] = await Promise.all([
    listMembers(ctx),
    listAllKeys(ctx),
    listEntries(ctx, { limit: MAX_ROWS }),
    listPayments(hub, { accountId: id, limit: MAX_ROWS }),
    listStoredGenerations(ctx, { limit: MAX_ROWS, exclude_llm: false }),
    listEndpoints(ctx),
    selectNotes(hub.db, id),
    selectActions(hub.db, String(id)),
  ]);
  return {
    ...describeAccount(hub, account),
    members: members.map(({ id: person, email, role, last_seen_at }) => ({
      person,
      email,
      role,
      last_seen_at: last_seen_at?.toISOString() ?? null,
    })),
    keys: keys.map(serializeKey),
    entries: entries.data.map(serializeEntry),
    payments: payments.map(serializePayment),
    generations: generations.data.map((generation) => ({
      id: generation.id,
      model: generation.model,
      status: generation.status,
      cost: toEuros(generation.billed_cost ?? generation.estimated_cost),
      created_at: generation.created_at.toISOString(),
    })),
    endpoints: endpoints.map(serializeEndpoint),
    notes: notes.map(({ created_at, ...note }) => ({ ...note, created_at: created_at.toISOString() })),
    actions: actions.map(({ created_at, ...action }) => ({ ...action, created_at: created_at.toISOString() })),
    closing: await describeClosure(hub.db, id, hub.now()),
  };
}

/** Returns only the account itself: its money, limits and settings. Throws a 404 when there is none. */
export const getAccountSummary = async (hub: OperationsHub, id: number) => ({
  ...describeAccount(hub, await findAccount(hub, id)),
  usage_metadata: await listUsageMetadata(hub, id),
  retention: await getRetention(hub, id),
});

async function findAccount(hub: OperationsHub, id: number): Promise<AccountRow> {
  const [account] = await selectAccount(hub.db, id);
  if (!account) throw new AppError("resource_not_found", "There is no such account.");
  return account;
}

type AccountRow = Ctx<OperationsHub>["account"] & {
  book: string | null;
  next_book: string | null;
  next_book_at: Date | null;
  max_running: number | null;
  suspended: boolean;
  weight: number;
  running: number;
  upload_bytes: bigint;
  owed: bigint;
  created_at: Date;
};

const describeAccount = ({ env }: OperationsHub, account: AccountRow) => ({
  id: account.id,
  email: account.email,
  name: account.name ?? null,
  member: account.member,
  suspended: account.suspended,
  weight: account.weight,
  book: account.book,
  next_book: account.next_book_at && { id: account.next_book, starts_at: account.next_book_at.toISOString() },
  balance: toEuros(account.balance),
  held: toEuros(account.reserved),
  available: toEuros(account.balance - account.reserved),
  owed: toEuros(account.owed),
  created_at: account.created_at.toISOString(),
  limits: {
    running: { used: account.running, max: Math.min(account.max_running ?? Infinity, env.RUNNING_PER_ACCOUNT) },
    uploads: { used: Number(account.upload_bytes), max: env.UPLOAD_QUOTA_BYTES },
    per_minute: {
      reads: env.RATE_LIMIT_READS_PER_MINUTE,
      writes: env.RATE_LIMIT_WRITES_PER_MINUTE,
      keys: env.RATE_LIMIT_KEYS_PER_MINUTE,
    },
  },
});

const selectAccount = statement({
  params: [int4],
  row: {
    id: int4,
    email: text,
    name: nullable(text),
    member: bool,
    suspended: bool,
    weight: int4,
    balance: int8,
    reserved: int8,
    running: int4,
    upload_bytes: int8,
    owed: int8,
    created_at: timestamptz,
    book: nullable(text),
    next_book: nullable(text),
    next_book_at: nullable(timestamptz),
    max_running: nullable(int4),
  },
  text: `
    SELECT id, email, name, member, suspended, weight, balance, reserved, running, upload_bytes, owed, created_at,
           book, next_book, next_book_at, max_running
    FROM account WHERE id = $1`,
});

const selectNotes = statement({
  params: [int4],
  row: { id: uuid, text, author: text, created_at: timestamptz },
  text: `
    SELECT n.id, n.text, p.email AS author, n.created_at FROM account_note n JOIN person p ON p.id = n.person_id
    WHERE n.account_id = $1 ORDER BY n.id DESC LIMIT 100`,
});

const selectActions = statement({
  params: [text],
  row: {
    id: uuid,
    action: text,
    operator: text,
    reason: nullable(text),
    after: nullable(jsonb<Record<string, unknown>>()),
    created_at: timestamptz,
  },
  text: `
    SELECT o.id, o.action, t.operator, t.reason, o.after, o.created_at
    FROM operator_action o JOIN operator_action_text t ON t.action_id = o.id
    WHERE o.target_kind = 'account' AND o.target_id = $1 ORDER BY o.id DESC LIMIT 50`,
});

/** Adds a note that only operators see to an account. Throws a 404 for an unknown account. */
export async function addNote(hub: OperationsHub, operator: Operator, accountId: number, note: string): Promise<void> {
  const { personId } = operator;
  if (personId === null) throw invalidInput("person", "is required: notes are written in the console");
  const target = { kind: "account", id: String(accountId) };
  await operate(hub, operator, { action: "account.note", target }, async (tx) => {
    const [added] = await insertNote(tx, newId(), accountId, personId, note, hub.now());
    if (!added) throw new AppError("resource_not_found", "There is no such account.");
    return { before: null, after: { note: added.id }, details: { text: note }, result: undefined };
  });
}

const insertNote = statement({
  params: [uuid, int4, int4, text, timestamptz],
  row: { id: uuid },
  text: `
    INSERT INTO account_note (id, account_id, person_id, text, created_at)
    SELECT $1, id, $3, $4, $5 FROM account WHERE id = $2 RETURNING id`,
});
