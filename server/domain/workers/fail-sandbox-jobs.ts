import type { Hub } from "../../context";
import type { Failure } from "../../providers/provider";
import { sandboxIds } from "../characters/accepts-character";
import { finishGeneration } from "../generations/finish";

const MAX_JOBS = 200;
const switchedOff: Failure = {
  code: "provider_refused",
  message: "The hub does not offer this model any more.",
  retryable: false,
};

/**
 * Fails the queued worker jobs of the sandbox while it is switched off, and returns how many: no worker would come for
 * them. One that ran when the hub was stopped is queued again before, when its lease lapses.
 */
export async function failSandboxJobs(hub: Hub): Promise<number> {
  if (hub.env.SANDBOX === "on") return 0;
  const rows = await hub.db.query<{ id: string }>(
    "SELECT id FROM generation WHERE status = 'queued' AND provider = 'worker' AND model = ANY ($1) ORDER BY id LIMIT $2",
    [sandboxIds, MAX_JOBS],
  );
  const ended = await Promise.all(
    rows.map(({ id }) => finishGeneration(hub, { id, from: ["queued"], to: "failed", error: switchedOff })),
  );
  return ended.filter(Boolean).length;
}
