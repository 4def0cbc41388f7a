import type { AttemptOutcome, PassedOverRoute, RouteReason } from "@/server/domain/generations/attempts";
import type { Tone } from "../../ui/badge";
import type { GenerationDetail } from "./types";

/** An attempt, or a route that was skipped. */
export type AttemptRow = GenerationDetail["attempts"][number];

interface OutcomeText {
  tone: Tone;
  word: string;
  /** Explains the word. */
  note?: string;
}

const outcomes: Record<AttemptOutcome, OutcomeText> = {
  succeeded: { tone: "good", word: "Succeeded" },
  failed: { tone: "danger", word: "Failed" },
  refused: { tone: "warning", word: "Rejected", note: "The work did not start." },
  canceled: { tone: "neutral", word: "Canceled" },
  lost: { tone: "warning", word: "Unknown", note: "It is unknown whether the work was done." },
};

const skipReasons: Record<PassedOverRoute["skipped"], string> = {
  cannot_express: "It does not support this input.",
  cooling_down: "It is paused after failures.",
  at_capacity: "It had no free slot.",
  over_budget: "Its daily budget was used up.",
  missing_key: "It is not set up.",
};

const reasons: Record<RouteReason, string | null> = {
  order: null,
  cheapest: "Cheapest route.",
  fastest: "Fastest route of the last hour.",
  balanced: "Chosen by weight.",
  measuring: "Chosen to measure its speed.",
  sticky: "Served this conversation before.",
  bought_again: "Bought again after a response was lost.",
};

/** Returns why a route was tried, in words; null if that needs no explanation. */
export const describeReason = ({ reason }: Pick<AttemptRow, "reason">): string | null => reason && reasons[reason];

/** Returns the outcome of an attempt in words. */
export function describeAttempt({ outcome, skipped, provider }: AttemptRow): OutcomeText {
  if (outcome === null) return { tone: "accent", word: "Running" };
  if (outcome === "skipped")
    return { tone: "neutral", word: "Skipped", note: skipped ? skipReasons[skipped] : undefined };
  if (outcome === "lost" && provider === "worker")
    return { ...outcomes.lost, word: "Lost", note: "The worker stopped responding." };
  return outcomes[outcome];
}

/** Returns the number of attempts, without skipped routes. */
export const countAttempts = (attempts: Pick<AttemptRow, "outcome">[]): number =>
  attempts.filter(({ outcome }) => outcome !== "skipped").length;
