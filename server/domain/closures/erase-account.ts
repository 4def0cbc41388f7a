import { bool, int4, notNull, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { eraseContent } from "../erasure";
import { inAccountSql } from "../generations/search/sql";
import { eraseTargetTexts } from "../operator-actions";
import { NIL_ID } from "../../lib/id";
import { type Closure, markErased, markTombstone } from "./closure";
import { eraseRecords } from "./erase-records";
import type { ClosuresHub } from "./hub";

const MAX_GENERATIONS = 200;

/**
 * Erases everything of a closed account but what tax law demands. Its tombstone is written first, so that a crash never leaves
 * something erased that a restored backup would bring back. Can be repeated, and interrupted at any point; it is complete once
 * the sweep has also removed the content of files.
 */
export async function eraseAccount(hub: ClosuresHub, { account_id: id, tombstone_at }: Closure): Promise<void> {
  if (!tombstone_at) {
    const [account] = await selectCreation(hub.db, id);
    const created_at = account!.created_at.toISOString();
    await hub.tombstones.add([{ kind: "account", id: String(id), created_at }], hub.now());
    await markTombstone(hub.db, id, hub.now());
  }
  await eraseGenerations(hub, id);
  await eraseRecords(hub.db, id);
  for (const { kind, target } of await selectTargets(hub.db, id)) await eraseTargetTexts(hub.db, kind, target);
  const [left] = await findLeft(hub.db, id);
  if (!left!.is_left) await markErased(hub.db, id, hub.now());
}

/** Erases the content of an account's generations; those that still run in a restored hub are left. */
async function eraseGenerations(hub: ClosuresHub, accountId: number): Promise<void> {
  for (let after: string | null = null; ;) {
    const ids: string[] = (await selectUnerased(hub.db, accountId, after)).map(({ id }) => id);
    if (ids.length === 0) return;
    await eraseContent(hub, ids);
    after = ids.at(-1)!;
  }
}

// The targets of operators' actions on an account: itself, its keys and its payments.
const selectTargets = statement({
  params: [int4],
  row: { kind: notNull(text), target: notNull(text) },
  text: `
    SELECT 'account' AS kind, $1::integer::text AS target
    UNION ALL SELECT 'key', id::text FROM api_key WHERE account_id = $1
    UNION ALL SELECT 'payment', id::text FROM payment WHERE account_id = $1`,
});

const selectCreation = statement({
  params: [int4],
  row: { created_at: timestamptz },
  text: "SELECT created_at FROM account WHERE id = $1",
});

// Generations after an id, in the order of an index by account that is read backwards.
const selectUnerased = statement({
  params: [int4, nullable(uuid)],
  row: { id: uuid },
  text: `
    SELECT id FROM generation
    WHERE ${inAccountSql("$1")} AND id > coalesce($2::uuid, '${NIL_ID}')
      AND erased_at IS NULL AND completed_at IS NOT NULL
    ORDER BY account_id DESC, id LIMIT ${MAX_GENERATIONS}`,
});

const findLeft = statement({
  params: [int4],
  row: { is_left: bool },
  text: `
    SELECT EXISTS (SELECT FROM generation WHERE account_id = $1 AND erased_at IS NULL)
        OR EXISTS (SELECT FROM file WHERE account_id = $1)
        OR EXISTS (SELECT FROM account_export WHERE account_id = $1 AND removed_at IS NULL)
        OR EXISTS (SELECT FROM direct_upload WHERE account_id = $1)
        OR EXISTS (SELECT FROM input_copy c JOIN generation g ON g.id = c.generation_id WHERE g.account_id = $1) AS is_left`,
});
