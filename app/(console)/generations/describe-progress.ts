import { type AttemptRow, countAttempts } from "./describe-attempt";
import type { GenerationDetail } from "./types";

type Progressing = Pick<GenerationDetail, "status" | "provider" | "started_at" | "progress" | "queue_position"> & {
  attempts: Pick<AttemptRow, "outcome">[];
};

/** Returns what an unfinished generation is doing, as a sentence; null while it waits for files and when it has ended. */
export function describeProgress(generation: Progressing): string | null {
  const { status, provider, started_at, progress, queue_position, attempts } = generation;
  if (status === "queued") {
    if (provider === "worker") return "Waiting for a worker.";
    return started_at === null ? "Waiting for a free place." : "Waiting to try again.";
  }
  if (status !== "running") return null;
  if (!attempts.some(({ outcome }) => outcome === null)) {
    return countAttempts(attempts) === 0 ? "Waiting for a provider that can take it." : "Waiting to try again.";
  }
  if (queue_position !== null) return describeQueue(queue_position);
  return progress === null ? "Running." : `${Math.round(progress * 100)}% done.`;
}

const describeQueue = (position: number): string =>
  position === 0 ? "Next in the provider’s queue." : `${position.toLocaleString("en")} ahead in the provider’s queue.`;
