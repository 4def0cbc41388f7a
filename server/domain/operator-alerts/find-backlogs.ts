import { float8, int4, notNull, text, timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";
import { maxRunningSql } from "../accounts/sql";
import { selectUnsettledSql } from "../generations/row/sql";
import { readGauges } from "../operations";
import { compareWith, type Finding } from "./finding";
import type { OperatorAlertsHub } from "./hub";

/** How late webhooks and jobs may be, in minutes. */
const MAX_WEBHOOK_MINUTES = 10;
const MAX_JOB_MINUTES = 5;

/** Returns what waits for too long: generations by model, webhooks and jobs of the engine. */
export async function findBacklogs(hub: OperatorAlertsHub): Promise<Finding[]> {
  const [{ webhook_age, webhooks_due, engine }, models] = await Promise.all([
    readGauges(hub),
    selectQueued(hub.db, hub.now(), hub.env.RUNNING_PER_ACCOUNT),
  ]);
  const job = engine.toSorted((a, b) => (b.overdue ?? 0) - (a.overdue ?? 0))[0];
  return [
    ...models.flatMap(({ model, count, age }) =>
      compareAge(`model ${model}`, age, hub.env.ALERT_QUEUED_MINUTES, `${count} queued, the oldest for`),
    ),
    ...compareAge("webhooks", webhook_age, MAX_WEBHOOK_MINUTES, `${webhooks_due} due, the oldest for`),
    ...(job ? compareAge("jobs", job.overdue ?? 0, MAX_JOB_MINUTES, `A job of ${job.function} has been due for`) : []),
  ];
}

function compareAge(subject: string, seconds: number, maxMinutes: number, text: string): Finding[] {
  const compared = compareWith(maxMinutes * 60, seconds);
  const detail = `${text} ${Math.floor(seconds / 60)} minutes`;
  return compared ? [{ name: "backlog", subject, detail, ...compared }] : [];
}

// Generations of an account that uses more than half of its slots wait for each other, and for no operator.
const selectQueued = statement({
  params: [timestamptz, int4],
  row: { model: text, count: notNull(int4), age: notNull(float8) },
  text: `
    SELECT g.model, count(*)::int AS count, extract(epoch FROM $1::timestamptz - min(g.created_at))::float8 AS age
    FROM (${selectUnsettledSql("model, status, created_at, account_id")}) g JOIN account a ON a.id = g.account_id
    WHERE g.status = 'queued' AND a.running * 2 <= ${maxRunningSql("a", "$2")}
    GROUP BY g.model ORDER BY g.model`,
});
