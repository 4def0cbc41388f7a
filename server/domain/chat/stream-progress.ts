import { createTokenCounter } from "../../lib/estimate-tokens";
import { countPieces, minTokensOf } from "../../lib/min-tokens";
import type { ChatChunk } from "../../providers/chat-call";
import { findMedium, listLimitedTexts, listTexts, type Medium } from "./reply-texts";
import { readUpstreamId } from "./upstream-id";

/** What has arrived of a streamed chat so far. */
export interface StreamProgress {
  add(chunk: ChatChunk): void;
  finishReason: string | null;
  /** The newest usage that the provider has reported, with its other members. */
  usage: Record<string, unknown> | null;
  /** The provider's id of the chat; null if it has sent none. */
  upstreamId: string | null;
  /** The tier of service that the provider has named. */
  serviceTier: unknown;
  /** Whether the newest usage came with or after the newest text. */
  isUsageCurrent(): boolean;
  /** Whether the provider has reported usage with or after `finish_reason`. */
  hasFinalUsage(): boolean;
  /** Ends the text here, because what follows could not be charged. */
  cutOff(): void;
  /** Whether any text or medium has arrived. */
  hasOutput(): boolean;
  /** The medium that has arrived besides text; null if there is none. */
  medium: Medium | null;
  /** Estimates the tokens of the text. */
  countOutput(): number;
  /** Returns how many tokens the text has at least. */
  countMinOutput(): number;
}

export function createStreamProgress(): StreamProgress {
  const counter = createTokenCounter();
  const pieceCounter = createTokenCounter(countPieces);
  let hasOutput = false;
  let hasFinalUsage = false;
  let isUsageCurrent = false;
  const addDelta = (delta: Record<string, unknown>) => {
    const medium = findMedium(delta);
    let isEmpty = medium === null;
    for (const text of listTexts(delta)) {
      isEmpty &&= text === "";
      counter.push(text);
    }
    for (const text of listLimitedTexts(delta)) pieceCounter.push(text);
    progress.medium = medium ?? progress.medium;
    hasOutput ||= !isEmpty;
    if (!isEmpty) isUsageCurrent = false;
  };
  const progress: StreamProgress = {
    finishReason: null,
    usage: null,
    upstreamId: null,
    serviceTier: null,
    medium: null,
    add(chunk) {
      const { choices, usage, service_tier } = chunk;
      progress.upstreamId ??= readUpstreamId(chunk);
      progress.serviceTier = service_tier ?? progress.serviceTier;
      for (const { delta, finish_reason } of choices) {
        addDelta(delta);
        progress.finishReason = finish_reason ?? progress.finishReason;
      }
      if (typeof usage !== "object" || usage === null) return;
      progress.usage = usage as Record<string, unknown>;
      isUsageCurrent = true;
      hasFinalUsage ||= progress.finishReason !== null;
    },
    isUsageCurrent: () => isUsageCurrent,
    cutOff() {
      progress.finishReason ??= "length";
      hasFinalUsage = true;
    },
    hasFinalUsage: () => hasFinalUsage,
    hasOutput: () => hasOutput,
    countOutput: () => counter.count(),
    countMinOutput: () => minTokensOf(pieceCounter.count()),
  };
  return progress;
}
