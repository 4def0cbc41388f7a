import { useEffect, useState } from "react";
import type { Formats } from "../../ui/formats";
import { useFormats } from "../../ui/formats-context";
import { ProgressBar } from "../../ui/progress-bar";
import { type AttemptRow, countAttempts } from "./describe-attempt";
import type { GenerationDetail } from "./types";

/** Shows the progress of an unfinished generation as a bar and a sentence, and the end of its log. */
export function GenerationProgress({ generation }: { generation: GenerationDetail }) {
  const sentence = describeProgress(generation, useFormats());
  const estimate = useEstimate(generation);
  if (sentence === null) return null;
  return (
    <div className="grid gap-2">
      <ProgressBar share={generation.progress} label="Progress" unknown={sentence} estimate={estimate} />
      <p className="text-sm text-soft">{sentence}</p>
      <Log lines={generation.log} />
    </div>
  );
}

const MAX_SHOWN_LINES = 5;

/** Shows the newest lines of a log. */
function Log({ lines }: { lines: GenerationDetail["log"] }) {
  if (lines.length === 0) return null;
  return (
    <ol aria-label="Log" className="grid gap-1 rounded-lg bg-sunken p-3 font-mono text-xs leading-5 text-soft">
      {lines.slice(-MAX_SHOWN_LINES).map(({ n, line }) => (
        <li key={n} className="wrap-anywhere">
          {line}
        </li>
      ))}
    </ol>
  );
}

/** Returns how far a running generation is by its model's usual time, updated every second; null without a usual time. */
function useEstimate({ progress, started_at, completed_at, typical_seconds }: GenerationDetail): number | null {
  const isEstimated = progress === null && started_at !== null && completed_at === null && typical_seconds !== null;
  const [now, setNow] = useState<number>();
  useEffect(() => {
    if (!isEstimated) return;
    const update = () => setNow(Date.now());
    update();
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [isEstimated]);
  if (!isEstimated || now === undefined) return null;
  return estimateProgress((now - Date.parse(started_at)) / 1000, typical_seconds);
}

/** The share at the usual time, and one that is never reached. */
const USUAL_SHARE = 0.9;
const LAST_SHARE = 0.98;

/** Returns the probable progress of work: steady up to 90 % at its usual time, then ever slower, and never complete. */
export function estimateProgress(elapsedSeconds: number, typicalSeconds: number): number {
  const ratio = Math.max(0, elapsedSeconds) / Math.max(typicalSeconds, 0.1);
  if (ratio <= 1) return USUAL_SHARE * ratio;
  return LAST_SHARE - (LAST_SHARE - USUAL_SHARE) / ratio;
}

type Progressing = Pick<
  GenerationDetail,
  "status" | "provider" | "progress" | "queue_position" | "wait_reason" | "typical_seconds"
> & {
  attempts: Pick<AttemptRow, "outcome">[];
};

const waits: Record<NonNullable<Progressing["wait_reason"]>, string> = {
  at_capacity: "Waiting for a free slot at the provider.",
  cooling_down: "Waiting for a provider to recover.",
  over_budget: "Waiting for the provider’s daily budget to reset.",
};

/** Returns what an unfinished generation is doing, as a sentence; null while it waits for files and when it has ended. */
export function describeProgress(generation: Progressing, formats: Formats): string | null {
  const { status, progress, queue_position, attempts, typical_seconds } = generation;
  if (status !== "queued" && status !== "running") return null;
  const isAtProvider = status === "running" && attempts.some(({ outcome }) => outcome === null);
  if (!isAtProvider) return describeWait(generation);
  if (queue_position !== null) return describeQueue(queue_position, formats);
  if (progress !== null) return `${Math.round(progress * 100)}% done.`;
  return typical_seconds === null ? "Running." : `Running, usually ${describeTypical(typical_seconds, formats)}.`;
}

/** Returns a usual time in whole seconds, because it is only an estimate. */
const describeTypical = (seconds: number, { duration }: Formats): string =>
  seconds < 59.5 ? `${Math.max(1, Math.round(seconds))} s` : duration(Math.round(seconds) * 1000);

function describeWait({ status, provider, wait_reason, attempts }: Progressing): string {
  if (wait_reason !== null) return waits[wait_reason];
  if (countAttempts(attempts) > 0) return "Waiting to retry.";
  if (status === "running") return "Waiting for an available provider.";
  return provider === "worker" ? "Waiting for a worker." : "Waiting for a free slot.";
}

const describeQueue = (position: number, { number }: Formats): string =>
  position === 0 ? "Next in the provider’s queue." : `${number(position)} ahead in the provider’s queue.`;
