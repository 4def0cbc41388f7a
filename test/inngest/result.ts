import type { Db } from "../../server/db/client";

export interface Result {
  accepted: number;
  /** Generations that failed although their prompt does not say so, by error code. */
  wronglyFailed: Record<string, number>;
  /** Generations that ended otherwise than their prompt says in any other way, or not at all. */
  otherwise: string[];
  /** From the end of the fault, or of the load if that was later; Infinity while something is not final. */
  lastFinalAfterMs: number;
  /** How long the last of them was queued, and how long it ran. */
  last: { queuedMs: number; runningMs: number };
  /** Attempts that were submitted to the sandbox. */
  submitted: number;
  /** Of them, those that were submitted more than once. */
  submittedTwice: string[];
}

interface Row {
  id: string;
  status: string;
  code: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

const PATIENCE_MS = 240_000;

/** Waits until every generation is final, or for four minutes after the fault. */
export async function waitUntilFinal(db: Db, faultEndedAt: number): Promise<void> {
  const pending = "SELECT FROM generation WHERE completed_at IS NULL LIMIT 1";
  while ((await db.query(pending)).length > 0 && Date.now() < faultEndedAt + PATIENCE_MS) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Compares what became of the generations with what their prompts say. */
export async function readResult(
  db: Db,
  { accepted, faultEndedAt, lines }: { accepted: Map<string, string>; faultEndedAt: number; lines: string[] },
): Promise<Result> {
  const rows = await db.query<Row>(
    `SELECT id, status, error->>'code' AS code, created_at, started_at, completed_at FROM generation
     ORDER BY completed_at NULLS LAST`,
  );
  const submits = countSubmits(lines);
  const wronglyFailed: Record<string, number> = {};
  const otherwise = [...accepted.keys()]
    .filter((id) => !rows.some((row) => row.id === id))
    .map((id) => `${id} is lost`);
  for (const { id, status, code } of rows) {
    const expected = accepted.get(id)?.includes("[fail]") ? "failed" : "succeeded";
    if (status === expected) continue;
    if (status === "failed") wronglyFailed[code!] = (wronglyFailed[code!] ?? 0) + 1;
    else otherwise.push(`${id} is ${status}`);
  }
  const { created_at, started_at, completed_at } = rows.at(-1)!;
  const finalAt = completed_at?.getTime() ?? Infinity;
  const startedAt = started_at?.getTime() ?? finalAt;
  return {
    accepted: accepted.size,
    wronglyFailed,
    otherwise,
    lastFinalAfterMs: Math.max(0, finalAt - faultEndedAt),
    last: { queuedMs: startedAt - created_at.getTime(), runningMs: finalAt - startedAt },
    submitted: submits.size,
    submittedTwice: [...submits].flatMap(([attempt, times]) => (times > 1 ? [`${attempt}: ${times} times`] : [])),
  };
}

/** Counts the hubs' log lines for each attempt of each generation that was submitted. */
function countSubmits(lines: string[]): Map<string, number> {
  const submits = new Map<string, number>();
  for (const line of lines.filter((text) => text.includes("submitting to the provider"))) {
    // By its members: a process that is killed may leave half a line.
    const [, generation] = /"generation":"([^"]+)"/.exec(line) ?? [];
    const [, attempt] = /"attempt":(\d+)/.exec(line) ?? [];
    const name = `${generation} attempt ${attempt}`;
    submits.set(name, (submits.get(name) ?? 0) + 1);
  }
  return submits;
}
