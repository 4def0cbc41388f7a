import type { Hub } from "../../context";
import { int8Number, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Failure } from "../../providers/provider";
import { finishGeneration } from "./finish";

const MAX_GENERATIONS = 1_000;
const supplyTimeout: Failure = {
  code: "supply_timeout",
  message: "A referenced file was not uploaded in time. Upload the missing files and send the request again.",
  retryable: true,
};

/** Fails generations whose deadline for missing files has passed, releases their holds, and returns how many. */
export async function failSupplyTimedOut(hub: Hub): Promise<number> {
  const rows = await selectTimedOut(hub.db, hub.now(), MAX_GENERATIONS);
  const failed = await Promise.all(
    rows.map(({ id }) => finishGeneration(hub, { id, from: ["awaiting_supply"], to: "failed", error: supplyTimeout })),
  );
  return failed.filter(Boolean).length;
}

const selectTimedOut = statement({
  params: [timestamptz, int8Number],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE status = 'awaiting_supply' AND deadline_at <= $1 ORDER BY id LIMIT $2",
});
