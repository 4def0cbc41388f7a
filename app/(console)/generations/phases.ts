import type { AttemptRow } from "./describe-attempt";
import type { GenerationDetail } from "./types";

/** What the phases of a generation are computed from; attempts without those that the operator hides. */
interface Timed extends Pick<GenerationDetail, "is_llm" | "created_at" | "started_at" | "completed_at"> {
  attempts: (Pick<AttemptRow, "started_at" | "ended_at"> & { first_token_ms?: number | null })[];
}

/** A part of a generation's time that has ended. */
export interface Phase {
  name: "wait" | "retries" | "first_token" | "provider" | "settlement";
  word: string;
  ms: number;
}

/**
 * Returns where the time of a generation went, in the order of its phases. They do not overlap, and cover all
 * the time of an ended generation. Outputs are stored within the provider's phase.
 */
export function listPhases(generation: Timed): Phase[] {
  const phases: Phase[] = [];
  let from = toMs(generation.created_at)!;
  for (const [name, word, end] of listEnds(generation)) {
    if (end === null) continue;
    const ms = Math.max(end - from, 0);
    from += ms;
    // A job of a provider or a worker is settled in the moment that it ends.
    if (ms > 0 || name !== "settlement") phases.push({ name, word, ms });
  }
  return phases;
}

type End = [Phase["name"], string, number | null];

/** Returns when each phase ended; null for a phase that did not occur. */
function listEnds({ is_llm, started_at, completed_at, attempts }: Timed): End[] {
  const [first] = attempts;
  const last = attempts.at(-1);
  // A chat counts as started while its credit is reserved.
  const wait = is_llm ? "Reserving credit" : "Queued";
  if (!first || !last) {
    const end = toMs(is_llm ? null : (started_at ?? completed_at));
    return [["wait", wait, end], ["provider", "Provider", toMs(started_at && completed_at)]]; // prettier-ignore
  }
  const begun = toMs(last.started_at)!;
  const firstToken = typeof last.first_token_ms === "number" ? begun + last.first_token_ms : null;
  return [
    ["wait", wait, toMs(first.started_at)],
    ["retries", "Earlier attempts", attempts.length > 1 ? begun : null],
    ["first_token", "First token", firstToken],
    ["provider", firstToken === null ? "Provider" : "Streaming", toMs(last.ended_at)],
    ["settlement", "Settlement", toMs(completed_at)],
  ];
}

const toMs = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** Returns the sum of phases in ms. */
export const sumPhases = (phases: Phase[]): number => phases.reduce((sum, { ms }) => sum + ms, 0);
