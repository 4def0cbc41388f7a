import { expect } from "vitest";
import { withClient } from "../cluster";
import type { TestHub } from "../hub";

/**
 * Runs work that waits for a lock, and ends its connection while it waits. Connections to other databases of the
 * cluster are left open.
 */
export async function killWhileLocked(hub: TestHub, lock: string, work: () => Promise<unknown>): Promise<void> {
  await withClient(hub.databaseUrl, async (client) => {
    await client.query(`BEGIN; ${lock}`);
    const outcome = work().then(
      () => "completed",
      () => "killed",
    );
    const findWaiting = async () => {
      const waiting =
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
      return (await hub.db.query<{ pid: number }>(waiting))[0];
    };
    await expect.poll(findWaiting).toBeDefined();
    await client.query("SELECT pg_terminate_backend($1)", [(await findWaiting())!.pid]);
    expect(await outcome).toBe("killed");
    await client.query("ROLLBACK");
  });
}
