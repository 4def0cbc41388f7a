import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/client";
import { removeErasedOutputs } from "../files";
import {
  type ContentKind,
  contents,
  countDue,
  countTransient,
  moveMarks,
  selectDue,
  selectTransient,
} from "./due-generations";
import { eraseContent, eraseRows } from "./erase-content";
import { eraseLabels, eraseOutputs, eraseWords } from "./erase-kinds";
import type { ErasureHub } from "./hub";

/** How many generations one transaction erases, so that its locks are short. */
const BATCH_SIZE = 250;

/** How many times longer than a batch the pause after it is, so that requests keep most of the database's time. */
const PAUSE_RATIO = 4;

/** Erases the content of a kind of these generations in a transaction, and returns the ids of outputs to remove. */
type Erase = (hub: ErasureHub, tx: Queryable, ids: string[]) => Promise<string[]>;

const erasures: Record<ContentKind, Erase> = {
  input: async (hub, tx, ids) => (await eraseRows(hub, tx, ids, { keepsOutputs: true })).outputs,
  output: (hub, tx, ids) => eraseOutputs(tx, ids, hub.now()),
  word: async (_hub, tx, ids) => (await eraseWords(tx, ids), []),
  label: async (hub, tx, ids) => (await eraseLabels(hub, tx, ids), []),
};

/** Returns for how many days the hub keeps content at most; null for outputs, which expire by themselves. */
const maxDays = ({ env }: Pick<ErasureHub, "env">): Record<ContentKind, number | null> => ({
  input: env.RETENTION_INPUT_DAYS ?? null,
  output: null,
  word: env.RETENTION_WORD_DAYS ?? null,
  label: env.RETENTION_LABEL_DAYS ?? null,
});

/**
 * Erases what is due for about `ms`, with pauses of at most `ms` each. Returns how many generations it erased, and whether
 * nothing is left.
 */
export async function eraseDueFor(hub: ErasureHub, ms: number): Promise<{ count: number; isDone: boolean }> {
  const deadline = performance.now() + ms;
  for (let count = 0; ;) {
    const startedAt = performance.now();
    const erased = await eraseDue(hub);
    count += erased;
    if (erased === 0 || performance.now() >= deadline) return { count, isDone: erased === 0 };
    await sleep(Math.min((performance.now() - startedAt) * PAUSE_RATIO, ms));
  }
}

/**
 * Erases due content of the next generations: at most 250 for each kind of content, and 250 that keep nothing. Returns how many
 * it erased. A batch and the marks that pass it are committed together; content in the storage is removed afterwards, or by the
 * sweep.
 */
export async function eraseDue(hub: ErasureHub): Promise<number> {
  let erased = await eraseTransient(hub);
  for (const kind of contents) erased += await eraseDueKind(hub, kind);
  return erased;
}

/** Erases up to 250 generations that keep nothing and ended an hour ago. Returns how many. */
async function eraseTransient(hub: ErasureHub): Promise<number> {
  const due = await selectTransient(hub.db, { now: hub.now(), limit: BATCH_SIZE });
  return due.length === 0 ? 0 : eraseContent(hub, due.map(({ id }) => id)); // prettier-ignore
}

async function eraseDueKind(hub: ErasureHub, kind: ContentKind): Promise<number> {
  const { count, outputs } = await hub.db.transaction(async (tx) => {
    const due = await selectDue[kind](tx, { now: hub.now(), days: maxDays(hub)[kind], limit: BATCH_SIZE });
    if (due.length === 0) return { count: 0, outputs: [] };
    const ids = due.map(({ id }) => id);
    const removed = await erasures[kind](hub, tx, ids);
    // The last one of each account stays in the map.
    const marks = new Map(due.map(({ account_id, id }) => [account_id, id]));
    await moveMarks(tx, kind, [...marks.keys()], [...marks.values()]);
    return { count: due.length, outputs: removed };
  });
  await removeErasedOutputs(hub, outputs);
  return count;
}

const kindNames: Record<ContentKind, string> = {
  input: "inputs",
  output: "outputs of accounts that keep them shorter",
  word: "words of inputs",
  label: "metadata and end users",
};

/** Returns how many generations have content that is due, by kind; at most `limit` of each account. */
export async function countDueContent(
  hub: Pick<ErasureHub, "db" | "env" | "now">,
  limit: number,
): Promise<{ name: string; due: number }[]> {
  const now = hub.now();
  const days = maxDays(hub);
  const counts = await Promise.all([
    ...contents.map((kind) => countDue[kind](hub.db, { now, days: days[kind], limit })),
    countTransient(hub.db, { now }),
  ]);
  const names = [...contents.map((kind) => kindNames[kind]), "content of generations that keep nothing"];
  return names.map((name, n) => ({ name, due: Number(counts[n]![0]!.count) }));
}
