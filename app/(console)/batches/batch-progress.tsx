import { Badge, statusWords, type Tone } from "../../ui/badge";
import { Money } from "../../ui/money";
import { ProgressBar } from "../../ui/progress-bar";
import { Count } from "../../ui/values";
import type { Batch } from "./types";

const statuses: Record<Batch["status"], [Tone, string]> = {
  running: ["accent", "Running"],
  completed: ["good", "Completed"],
  canceled: ["neutral", "Canceled"],
};

/** Renders the status of a batch. */
export function BatchStatus({ batch: { status, completed_at } }: { batch: Batch }) {
  const [tone, word] = statuses[status];
  return <Badge tone={tone}>{status === "canceled" && completed_at === null ? "Canceling" : word}</Badge>;
}

/** Returns how many generations a batch has. */
export const countAll = ({ counts }: Batch): number => Object.values(counts).reduce((sum, count) => sum + count, 0);

const countEnded = ({ counts: { succeeded, failed, canceled } }: Batch): number => succeeded + failed + canceled;

/** Renders how many generations of a batch have ended, as a bar and in words. */
export function BatchProgress({ batch }: { batch: Batch }) {
  const [ended, all] = [countEnded(batch), countAll(batch)];
  return (
    <span className="grid min-w-28 gap-1.5">
      <ProgressBar share={ended / all} label="Ended generations" />
      <span className="text-xs text-soft tabular-nums">
        <Count value={ended} /> of <Count value={all} />
        {batch.counts.failed > 0 && (
          <>
            {", "}
            <Count value={batch.counts.failed} /> failed
          </>
        )}
      </span>
    </span>
  );
}

/** Renders what a batch has cost, and what is reserved for the rest of it. */
export const BatchCost = ({ batch: { billed_cost, reserved_cost } }: { batch: Batch }) => (
  <span className="inline-grid">
    <Money euros={billed_cost} />
    {reserved_cost > 0 && (
      <span className="text-xs text-soft">
        <Money euros={reserved_cost} /> reserved
      </span>
    )}
  </span>
);

/** Lists how many generations of a batch have each status; statuses without generations are left out. */
export const BatchCounts = ({ batch: { counts } }: { batch: Batch }) => (
  <dl className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
    {statusWords
      .filter(({ status }) => counts[status] > 0)
      .map(({ status, word }) => (
        <div key={status} className="flex gap-2">
          <dt className="text-soft">{word}</dt>
          <dd className="font-medium tabular-nums">
            <Count value={counts[status]} />
          </dd>
        </div>
      ))}
  </dl>
);
