import type { Hub } from "../server/context";
import { deriveHub } from "./derive-hub";

/** The plan that Postgres keeps for the hub's prepared statements, of the verb's one statement. */
export async function explainPlan(hub: Hub, verb: (hub: Hub) => Promise<unknown>): Promise<string> {
  let plan = "";
  const query = async (text: string, values?: unknown[]) => {
    plan = await hub.db.transaction(async (tx) => {
      await tx.query("SET LOCAL plan_cache_mode = force_generic_plan");
      const rows = await tx.query<{ "QUERY PLAN": string }>(`EXPLAIN ${text}`, values);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
    return [];
  };
  await verb(deriveHub(hub, { db: { ...hub.db, query, ledgerConnection: { ...hub.db.ledgerConnection, query } } }));
  return plan;
}
