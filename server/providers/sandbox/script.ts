import { setTimeout as sleep } from "node:timers/promises";
import type { Failure } from "../failure";

/** The outcome that a prompt's magic words request; without any, the job succeeds at once. */
export interface Script {
  fails: "always" | "first" | null;
  /** Duration of the job; Infinity for one that never ends. */
  seconds: number;
}

/** Parses `[fail]`, `[flaky]`, `[hang]` and `[slow:N]` in a prompt. */
export function parseScript(prompt: string): Script {
  const slow = /\[slow:(\d{1,6}(?:\.\d{1,3})?)\]/.exec(prompt);
  return {
    fails: prompt.includes("[fail]") ? "always" : prompt.includes("[flaky]") ? "first" : null,
    seconds: prompt.includes("[hang]") ? Infinity : Number(slow?.[1] ?? 0),
  };
}

// Longer than any job may take, and the longest delay of a timer.
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Waits for a part of a script's seconds. Rejects with the signal's reason. */
export async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (seconds > 0)
    await sleep(Math.min(seconds * 1000, MAX_DELAY_MS), undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Returns the failure that the magic words of a text request of an attempt; null for none. */
export function getScriptedFailure({ fails }: Script, isFirstAttempt: () => boolean, text = "prompt"): Failure | null {
  if (fails === "always") return { code: "provider_error", message: `The ${text} says [fail].`, retryable: false };
  if (fails === "first" && isFirstAttempt())
    return { code: "provider_error", message: `The ${text} says [flaky].`, retryable: true };
  return null;
}
