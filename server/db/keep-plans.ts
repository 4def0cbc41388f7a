import type pg from "pg";

/**
 * Makes a new connection plan each statement once, without its values: in the plan that the tests check. Postgres would
 * otherwise plan many pages anew for each request, which takes longer than reading them (decision 78). This is no parameter
 * of the connection, because PgBouncer rejects those.
 */
export async function keepPlans(client: pg.ClientBase): Promise<void> {
  await client.query("SET plan_cache_mode = force_generic_plan");
}
