import type { Formats } from "../../ui/formats";
import { useFormats } from "../../ui/formats-context";
import { ProgressBar } from "../../ui/progress-bar";
import { type AttemptRow, countAttempts } from "./describe-attempt";
import type { GenerationDetail } from "./types";

/** Shows the progress of an unfinished generation as a bar and a sentence. */
export function GenerationProgress({ generation }: { generation: GenerationDetail }) {
  const sentence = describeProgress(generation, useFormats());
  if (sentence === null) return null;
  return (
    <div className="grid gap-2">
      <ProgressBar share={generation.progress} label="Progress" />
      <p className="text-sm text-soft">{sentence}</p>
    </div>
  );
}

type Progressing = Pick<GenerationDetail, "status" | "provider" | "progress" | "queue_position" | "wait_reason"> & {
  attempts: Pick<AttemptRow, "outcome">[];
};

const waits: Record<NonNullable<Progressing["wait_reason"]>, string> = {
  at_capacity: "Waiting for a free slot at the provider.",
  cooling_down: "Waiting for a provider to recover.",
  over_budget: "Waiting for the provider’s daily budget to reset.",
};

/** Returns what an unfinished generation is doing, as a sentence; null while it waits for files and when it has ended. */
export function describeProgress(generation: Progressing, formats: Formats): string | null {
  const { status, progress, queue_position, attempts } = generation;
  if (status !== "queued" && status !== "running") return null;
  const isAtProvider = status === "running" && attempts.some(({ outcome }) => outcome === null);
  if (!isAtProvider) return describeWait(generation);
  if (queue_position !== null) return describeQueue(queue_position, formats);
  return progress === null ? "Running." : `${Math.round(progress * 100)}% done.`;
}

function describeWait({ status, provider, wait_reason, attempts }: Progressing): string {
  if (wait_reason !== null) return waits[wait_reason];
  if (countAttempts(attempts) > 0) return "Waiting to retry.";
  if (status === "running") return "Waiting for an available provider.";
  return provider === "worker" ? "Waiting for a worker." : "Waiting for a free slot.";
}

const describeQueue = (position: number, { number }: Formats): string =>
  position === 0 ? "Next in the provider’s queue." : `${number(position)} ahead in the provider’s queue.`;
