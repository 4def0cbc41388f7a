import type { HubParts } from "../../context";
import { timestamptz } from "../../db/column-types";
import { statement } from "../../db/statement";

/** How far the clocks of hubs on one database may differ, because they act on each other's deadlines and leases. */
export const MAX_CLOCK_SKEW_SECONDS = 1;

/**
 * Returns how many seconds this process's clock is ahead of the database's, which serves as the reference for all hubs; zero
 * if they differ by less than the statement takes.
 */
export async function measureClockSkew({ db, now }: Pick<HubParts, "db" | "now">): Promise<number> {
  const before = now().getTime();
  const [row] = await selectTime(db);
  const after = now().getTime();
  const time = row!.time.getTime();
  return (time < before ? before - time : Math.min(0, after - time)) / 1_000;
}

const selectTime = statement({ params: [], row: { time: timestamptz }, text: "SELECT clock_timestamp() AS time" });
