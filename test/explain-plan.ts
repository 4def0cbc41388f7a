import type { Hub } from "../server/domain/hub";
import { deriveHub } from "./derive-hub";

/**
 * Returns Postgres' generic plan of the one prepared statement that `runVerb` executes. With `pattern`, explains the
 * statement that matches it, and runs the others.
 */
export async function explainPlan(
  hub: Hub,
  runVerb: (hub: Hub) => Promise<unknown>,
  pattern?: RegExp,
): Promise<string> {
  let plan = "";
  const query = async (text: string, values?: unknown[]): Promise<never[]> => {
    if (pattern && !pattern.test(text)) return hub.db.query(text, values);
    plan = await hub.db.transaction(async (tx) => {
      await tx.query("SET LOCAL plan_cache_mode = force_generic_plan");
      const rows = await tx.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    return [];
  };
  await runVerb(deriveHub(hub, { db: { ...hub.db, query, ledgerConnection: { query }, shortReads: { query } } }));
  return plan;
}
