import type { HubParts } from "../../context";
import { timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** How far the clocks of hubs on one database may differ, in seconds; deadlines and leases of one are judged by others. */
export const MAX_CLOCK_SKEW_SECONDS = 1;

/**
 * Returns by how many seconds this process's clock is ahead of the database's, by which several hubs are compared. The time
 * of the statement itself counts for neither.
 */
export async function measureClockSkew({ db, now }: Pick<HubParts, "db" | "now">): Promise<number> {
  const before = now().getTime();
  const [row] = await selectTime(db);
  const after = now().getTime();
  const time = row!.time.getTime();
  const aheadMs = time < before ? before - time : Math.min(0, after - time);
  return aheadMs / 1_000;
}

const selectTime = statement({ params: [], row: { time: timestamptz }, text: "SELECT clock_timestamp() AS time" });
