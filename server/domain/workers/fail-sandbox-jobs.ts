import { array, int8Number, text, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import type { Failure } from "../../providers/failure";
import { sandboxIds } from "../models";
import { finishGeneration } from "../generations/end";
import type { WorkersHub } from "./hub";

const MAX_JOBS = 200;
const sandboxDisabled: Failure = {
  code: "provider_refused",
  message: "The hub no longer offers this model.",
  retryable: false,
};

/**
 * Fails the queued worker jobs of the sandbox while it is disabled, because no worker would claim them, and returns how
 * many. A job that was running when the hub stopped is queued again first, when its lease expires.
 */
export async function failSandboxJobs(hub: WorkersHub): Promise<number> {
  if (hub.env.SANDBOX === "on") return 0;
  const rows = await selectSandboxJobs(hub.db, sandboxIds, MAX_JOBS);
  const failed = await Promise.all(
    rows.map(({ id }) => finishGeneration(hub, { id, from: ["queued"], to: "failed", error: sandboxDisabled })),
  );
  return failed.filter(Boolean).length;
}

const selectSandboxJobs = statement({
  params: [array(text), int8Number],
  row: { id: uuid },
  text: "SELECT id FROM generation WHERE status = 'queued' AND provider = 'worker' AND model = ANY ($1) ORDER BY id LIMIT $2",
});
