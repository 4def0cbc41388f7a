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
