import { array, int4, int8Number, text, textOf, timestamptz } from "../../db/column-types";
import type { Queryable } from "../../db/client";
import { statement } from "../../db/statement";
import { lockAccount } from "../accounts";
import { eraseContent } from "../erasure";
import { endAccount } from "./close-account";
import { erasePerson } from "./erase-person";
import type { ClosuresHub } from "./hub";
import type { ErasureKind } from "./insert-pending";

const MAX_PEOPLE = 50;
const MAX_ACCOUNTS = 20;
const MAX_GENERATIONS = 200;

/**
 * Erases people whose erasure was requested, and content that a restored backup has brought back. Returns how many it erased;
 * generations that still run stay for the next call. Can be interrupted at any point.
 */
export async function erasePending(hub: ClosuresHub): Promise<number> {
  const accounts = await selectPending(hub.db, "account", MAX_ACCOUNTS);
  for (const { id } of accounts) await hub.db.transaction((tx) => closeAgain(tx, Number(id), hub.now()));
  const people = await selectPending(hub.db, "person", MAX_PEOPLE);
  for (const { id } of people) await erasePendingPerson(hub, Number(id));
  return (
    accounts.length +
    people.length +
    (await erasePendingContent(hub, "input")) +
    (await erasePendingContent(hub, "generation"))
  );
}

/** Returns how many generations had ended and are erased. */
async function erasePendingContent(hub: ClosuresHub, kind: "input" | "generation"): Promise<number> {
  const generations = await selectPending(hub.db, kind, MAX_GENERATIONS);
  const ids = generations.map(({ id }) => id);
  if (ids.length > 0) await eraseContent(hub, ids, { keepsOutputs: kind === "input" });
  return (await deleteErased(hub.db, kind, ids)).length;
}

async function erasePendingPerson(hub: ClosuresHub, id: number): Promise<void> {
  const [person] = await selectCreation(hub.db, id);
  const created_at = person?.created_at.toISOString();
  await hub.tombstones.add([{ kind: "person", id: String(id), created_at }], hub.now());
  await hub.db.transaction(async (tx) => {
    await erasePerson(tx, id, hub.now());
    await deletePending(tx, "person", String(id));
  });
}

/**
 * Closes an account of a restored backup that was closed after the backup was made. The money that it has again is compared
 * with the payment provider and then given up, because it was refunded or given up before. Members who were erased have their
 * own tombstones; the others had another account by then.
 */
async function closeAgain(tx: Queryable, id: number, now: Date): Promise<void> {
  const [account] = await lockAccount(tx, id);
  if (account && !account.closed_at) {
    await upsertClosure(tx, id, now);
    await endAccount(tx, id, now);
  }
  await deletePending(tx, "account", String(id));
}

// In random order, so that what still runs does not block the rest.
const selectPending = statement({
  params: [textOf<ErasureKind>(), int8Number],
  row: { id: text },
  text: "SELECT id FROM pending_erasure WHERE kind = $1 ORDER BY random() LIMIT $2",
});

const deletePending = statement({
  params: [textOf<ErasureKind>(), text],
  row: {},
  text: "DELETE FROM pending_erasure WHERE kind = $1 AND id = $2",
});

const deleteErased = statement({
  params: [textOf<ErasureKind>(), array(text)],
  row: { id: text },
  text: `
    DELETE FROM pending_erasure p WHERE kind = $1 AND id = ANY ($2::text[])
      AND NOT EXISTS (SELECT FROM generation g WHERE g.id = p.id::uuid AND g.erased_at IS NULL)
    RETURNING id`,
});

const selectCreation = statement({
  params: [int4],
  row: { created_at: timestamptz },
  text: "SELECT created_at FROM person WHERE id = $1",
});

const upsertClosure = statement({
  params: [int4, timestamptz],
  row: {},
  text: `
    INSERT INTO closure (account_id, requested_at, gives_up_balance) VALUES ($1, $2, true)
    ON CONFLICT (account_id) DO UPDATE SET gives_up_balance = true`,
});
