import type { Db } from "../../server/db/client";

export interface Result {
  accepted: number;
  /** Number of generations that failed although their prompt does not ask for it, by error code. */
  unexpectedFailures: Record<string, number>;
  /** Generations that are lost, not final, or succeeded although their prompt asks for a failure. */
  mismatches: string[];
  /** Time from the end of the failure, or of the load if that was later; Infinity while a generation is not final. */
  lastFinalAfterMs: number;
  /** How long the last generation was queued, and how long it ran. */
  last: { queuedMs: number; runningMs: number };
  /** Number of attempts that were submitted to the sandbox. */
  submitted: number;
  /** Attempts that were submitted more than once. */
  submittedRepeatedly: string[];
}

interface Row {
  id: string;
  status: string;
  code: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

const MAX_WAIT_MS = 240_000;

/** Waits until every generation is final, at most until four minutes after the failure. */
export async function waitUntilFinal(db: Db, failureEndedAt: number): Promise<void> {
  const pending = "SELECT FROM generation WHERE completed_at IS NULL LIMIT 1";
  while ((await db.query(pending)).length > 0 && Date.now() < failureEndedAt + MAX_WAIT_MS) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Compares the generations with what their prompts ask for. */
export async function readResult(
  db: Db,
  { accepted, failureEndedAt, lines }: { accepted: Map<string, string>; failureEndedAt: number; lines: string[] },
): Promise<Result> {
  const rows = await db.query<Row>(
    `SELECT id, status, error->>'code' AS code, created_at, started_at, completed_at FROM generation
     ORDER BY completed_at NULLS LAST`,
  );
  const submits = countSubmits(lines);
  const unexpectedFailures: Record<string, number> = {};
  const mismatches = [...accepted.keys()]
    .filter((id) => !rows.some((row) => row.id === id))
    .map((id) => `${id} is lost`);
  for (const { id, status, code } of rows) {
    const expected = accepted.get(id)?.includes("[fail]") ? "failed" : "succeeded";
    if (status === expected) continue;
    if (status === "failed") unexpectedFailures[code!] = (unexpectedFailures[code!] ?? 0) + 1;
    else mismatches.push(`${id} is ${status}`);
  }
  const { created_at, started_at, completed_at } = rows.at(-1)!;
  const finalAt = completed_at?.getTime() ?? Infinity;
  const startedAt = started_at?.getTime() ?? finalAt;
  return {
    accepted: accepted.size,
    unexpectedFailures,
    mismatches,
    lastFinalAfterMs: Math.max(0, finalAt - failureEndedAt),
    last: { queuedMs: startedAt - created_at.getTime(), runningMs: finalAt - startedAt },
    submitted: submits.size,
    submittedRepeatedly: [...submits].flatMap(([attempt, times]) => (times > 1 ? [`${attempt}: ${times} times`] : [])),
  };
}

/** Counts the submissions of each attempt in the hubs' log lines. */
function countSubmits(lines: string[]): Map<string, number> {
  const submits = new Map<string, number>();
  for (const line of lines.filter((text) => text.includes("submitting to the provider"))) {
    // Matched by members, because a killed process may leave half a line of JSON.
    const [, generation] = /"generation":"([^"]+)"/.exec(line) ?? [];
    const [, attempt] = /"attempt":(\d+)/.exec(line) ?? [];
    const name = `${generation} attempt ${attempt}`;
    submits.set(name, (submits.get(name) ?? 0) + 1);
  }
  return submits;
}
