import { z } from "zod";

// The SDK reports steps in a separate request through the client's `fetch`, while the engine waits for the call's
// response. Only this module connects the two.
const reported = new Map<string, unknown[]>();

const Report = z.object({ qi_id: z.string(), steps: z.array(z.unknown()) });

/** Stores the steps that a call reports before its response. Returns whether such a call is in progress. */
export function keepFinishedSteps(report: unknown): boolean {
  const { qi_id: callId, steps } = Report.parse(report);
  const kept = reported.get(callId);
  kept?.push(...steps);
  return kept !== undefined;
}

/** Makes a call, and returns its result and the steps that it reported. */
export async function collectFinishedSteps<T>(callId: string, call: () => Promise<T>): Promise<[T, unknown[]]> {
  const steps: unknown[] = [];
  reported.set(callId, steps);
  try {
    return [await call(), steps];
  } finally {
    reported.delete(callId);
  }
}
