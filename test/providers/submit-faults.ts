import { expect, test } from "vitest";
import type { FailureCode, Started } from "../../server/providers/failure";
import type { FailedJob, Job, JobState } from "../../server/providers/job";
import type { Provider } from "../../server/providers/provider";
import { type Double, type SubmitFault, submitFaults } from "./double";
import { buildIo } from "./job";

/** What the state of a failed submit says. */
interface SubmitEnd {
  started: Started;
  cause: FailedJob["cause"];
  code: FailureCode;
  retryable: boolean;
  retryAfter?: number;
}

const rejected: SubmitEnd = { started: "no", cause: "job", code: "provider_refused", retryable: false };
const wrongAccount: SubmitEnd = { ...rejected, cause: "account", retryable: true };
const full: SubmitEnd = { ...rejected, cause: "capacity", retryable: true };
const unknown: SubmitEnd = { started: "unknown", cause: "outage", code: "provider_error", retryable: true };
const unreadable: SubmitEnd = { ...unknown, code: "invalid_output" };

/** How a submit with each fault ends at most makers. */
const ends: Record<SubmitFault, SubmitEnd> = {
  "400": rejected,
  "401": wrongAccount,
  "402": wrongAccount,
  "404": wrongAccount,
  "410": wrongAccount,
  "422": rejected,
  "422 with a long body": rejected,
  "422 and a reset": rejected,
  "429": full,
  "429 with Retry-After": { ...full, retryAfter: 1 },
  "503": full,
  "303 after": unknown,
  "500 before": unknown,
  "502 before": unknown,
  "504 before": unknown,
  "500 after": unknown,
  "502 after": unknown,
  "504 after": unknown,
  "reset before": unknown,
  "reset after": unknown,
  "reset within the response": unknown,
  "no response": { ...unknown, code: "timeout" },
  garbage: unreadable,
  "half of the JSON": unreadable,
};

interface Submit {
  provider: Provider;
  job: Job;
  double: Double;
  /** The contents of file parameters by their URL. */
  files?: Record<string, Buffer>;
}

interface Options {
  /** What is different at this maker. */
  different?: Partial<Record<SubmitFault, Partial<SubmitEnd>>>;
  /** Faults that its responses cannot show. */
  unseen?: SubmitFault[];
}

/** Declares the tests of what an adapter says about submits that fail. */
export function testSubmitFaults(build: () => Submit, { different = {}, unseen = [] }: Options = {}): void {
  const faults = submitFaults.filter((fault) => !unseen.includes(fault));

  test.each(faults)("a submit that fails by %s reports whether it began, and is sent once", async (fault) => {
    const submit = build();
    const { requests } = submit.double;
    const before = requests.length;
    const { state, accepted } = await submitWithFault(submit, fault);
    const { started, cause, error, retryAfter } = state as FailedJob;
    expect({ started, cause, code: error.code, retryable: error.retryable, retryAfter }).toEqual({
      retryAfter: undefined,
      ...ends[fault],
      ...different[fault],
    });
    expect(requests).toHaveLength(before + 1);
    // An accepted submit is never reported as not begun.
    if (accepted > 0) expect(started).not.toBe("no");
    expect(JSON.stringify(state)).not.toMatch(/127\.0\.0\.1|test-key|nginx|SECRET/);
  });

  test("a submit that nobody receives has not begun", async () => {
    const { provider, job, files } = build();
    const nowhere = { ...job.route.provider, baseUrl: "http://127.0.0.1:9" };
    const state = await provider.submit!({ ...job, route: { ...job.route, provider: nowhere } }, buildIo(files));
    expect(state).toMatchObject({ state: "failed", started: "no", cause: "outage" });
  });
}

/**
 * Submits a job to a double that has a fault, and returns its state and how many submits the double accepted. A submit
 * that is never answered is aborted as the hub does at its time limit, which then counts as unknown.
 */
export async function submitWithFault({ provider, job, double, files }: Submit, fault: SubmitFault) {
  const before = double.accepted.length;
  const controller = new AbortController();
  double.failNextSubmits(fault);
  const submitted = provider.submit!(job, buildIo(files, controller.signal)).catch((error: Error): JobState => {
    if (error.name !== "TimeoutError") throw error;
    return {
      state: "failed",
      started: "unknown",
      cause: "outage",
      error: { code: "timeout", message: "", retryable: true },
    };
  });
  if (fault === "no response") {
    while (double.accepted.length === before) await new Promise(setImmediate);
    controller.abort(new DOMException("", "TimeoutError"));
  }
  return { state: await submitted, accepted: double.accepted.length - before };
}
