import type { Job, JobState, Provider } from "../../server/providers/provider";
import type { Double, SubmitFault } from "./double";
import { buildIo } from "./job";

/**
 * Submits a job to a double that has a fault, and returns its state and how many submits the double took on. A submit
 * that is never answered is aborted as the hub does at its time limit, which then counts as unknown.
 */
export async function submitWithFault(provider: Provider, job: Job, double: Double, fault: SubmitFault) {
  const before = double.accepted.length;
  const controller = new AbortController();
  double.failNextSubmits(fault);
  const submitted = provider.submit!(job, buildIo({}, controller.signal)).catch((error: Error): JobState => {
    if (error.name !== "TimeoutError") throw error;
    return {
      ...{ state: "failed", started: "unknown", cause: "outage" },
      error: { code: "timeout", message: "", retryable: true },
    };
  });
  if (fault === "no response") {
    while (double.accepted.length === before) await new Promise(setImmediate);
    controller.abort(new DOMException("", "TimeoutError"));
  }
  return { state: await submitted, accepted: double.accepted.length - before };
}
