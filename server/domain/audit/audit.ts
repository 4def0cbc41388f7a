import type { Db } from "../../db/client";
import { int8 } from "../../db/column-types";
import { statement } from "../../db/statement";
import { toEuros } from "../../lib/money";
import { maybeBilledSql } from "../generations/queue/sql";
import { checks, fullChecks } from "./checks";
import { declareScoped, findClosing } from "./scope";

export interface Violation {
  /** The name of the violated check. */
  check: string;
  subject: string;
  message: string;
}

export interface Audit {
  /** The last month that was not read again because it is closed, such as "2026-10"; null if everything was read. */
  closed_until: string | null;
  accounts: number;
  generations: number;
  entries: number;
  /** EUR, summed over all accounts. */
  balance: number;
  reserved: number;
  /** EUR that providers charged beyond the estimates: the hub's loss, billed to no account. */
  excess: number;
  /** Attempts of which nobody knows whether their providers did the work and billed it; no violations. */
  lost: number;
  violations: Violation[];
}

const readOneSnapshot = statement({
  params: [],
  row: {},
  text: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY",
});

const sumTotals = declareScoped({
  row: { accounts: int8, generations: int8, entries: int8, balance: int8, reserved: int8, excess: int8, lost: int8 },
  text: `
    SELECT (SELECT count(*) FROM account) AS accounts,
           closed.generations + (SELECT count(*) FROM generation) AS generations,
           closed.entries + (SELECT count(*) FROM ledger_entry) AS entries,
           (SELECT coalesce(sum(balance), 0)::bigint FROM account) AS balance,
           (SELECT coalesce(sum(reserved), 0)::bigint FROM account) AS reserved,
           closed.excess + (SELECT coalesce(sum(excess_cost), 0)::bigint FROM generation) AS excess,
           (SELECT count(*) FROM public.attempt WHERE ${maybeBilledSql}) AS lost
    FROM closed`,
});

/**
 * Recomputes every balance, hold, state and total in one consistent snapshot; safe to run on a live system. From the
 * beginning, with the closings, or from the newest closing on.
 */
export function runAudit(db: Db, { isFull = true } = {}): Promise<Audit> {
  return db.transaction(async (tx) => {
    await readOneSnapshot(tx);
    const closing = isFull ? undefined : await findClosing(tx);
    const [sums] = await sumTotals(tx, closing);
    const violations: Violation[] = [];
    for (const { name, select } of closing ? checks : [...checks, ...fullChecks]) {
      const rows = await select(tx, closing);
      for (const row of rows) violations.push({ check: name, ...row });
    }
    const { accounts, generations, entries, balance, reserved, excess, lost } = sums!;
    return {
      closed_until: closing?.month ?? null,
      accounts: Number(accounts),
      generations: Number(generations),
      entries: Number(entries),
      balance: toEuros(balance),
      reserved: toEuros(reserved),
      excess: toEuros(excess),
      lost: Number(lost),
      violations,
    };
  });
}
