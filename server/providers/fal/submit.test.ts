import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type SubmitFault, submitFaults } from "../../../test/providers/double";
import { type FalDouble, openFalDouble } from "../../../test/providers/fal/double";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import type { FailedJob, Job } from "../provider";
import { fal } from "./fal";

let double: FalDouble;
beforeAll(async () => {
  double = await openFalDouble();
});
afterAll(() => double.close());

const newJob = (input: Record<string, unknown>, overrides: Partial<Job> & { route?: never } = {}) =>
  buildJob(buildProvider("fal", double.url), "fal-ai/flux/schnell", input, overrides);

describe("a submit", () => {
  test("names the callback and the time until the deadline, and waits in the queue", async () => {
    const callbackUrl = "https://hub.example/api/callbacks/providers/1?token=a";
    const job = newJob({ prompt: "a tree", sync_mode: true }, { callbackUrl });
    const state = await fal.submit(job, { ...buildIo(), now: () => job.openedAt });
    const { id, input, webhookUrl } = [...double.jobs.values()].at(-1)!;
    expect({ input, webhookUrl }).toEqual({ input: { prompt: "a tree" }, webhookUrl: callbackUrl });
    expect(double.accepted.at(-1)!.headers).toMatchObject({ "x-fal-request-timeout": "600" });
    const path = `${double.url}/fal-ai/flux/requests/${id}`;
    const urls = { status_url: `${path}/status`, response_url: `${path}/response`, cancel_url: `${path}/cancel` };
    expect(state).toEqual({
      ...{ state: "pending", progress: null, queuePosition: 3, pollAfterSeconds: 1 },
      upstreamId: JSON.stringify({ request_id: id, ...urls }),
    });
  });

  test("just before the deadline names the shortest time that fal accepts", async () => {
    const job = newJob({ prompt: "a tree" }, { deadlineAt: new Date() });
    expect(await fal.submit(job, buildIo())).toMatchObject({ state: "pending" });
    expect(double.accepted.at(-1)!.headers).toMatchObject({ "x-fal-request-timeout": "2" });
  });

  test("of a content that fal refuses is tried nowhere else", async () => {
    const accepted = double.accepted.length;
    const state = await fal.submit(newJob({ prompt: "something forbidden" }), buildIo());
    expect(state).toMatchObject({ started: "no", cause: "job", error: { code: "content_refused", retryable: false } });
    expect(double.accepted).toHaveLength(accepted);
  });

  test("without a listener has certainly not begun", async () => {
    const closed = await openFalDouble();
    await closed.close();
    const job = buildJob(buildProvider("fal", closed.url), "fal-ai/flux/schnell", { prompt: "a tree" });
    expect(await fal.submit(job, buildIo())).toMatchObject({ state: "failed", started: "no", cause: "outage" });
  });
});

/** Whether the work began, and what is to blame. */
const expected: Record<SubmitFault, string> = {
  ...{ "400": "no, job", "401": "no, account", "402": "no, account", "404": "no, account", "422": "no, job" },
  ...{ "429": "no, capacity", "429 with Retry-After": "no, capacity", "503": "no, capacity" },
  ...{ "500 before": "unknown, outage", "502 before": "unknown, outage", "504 before": "unknown, outage" },
  ...{ "500 after": "unknown, outage", "502 after": "unknown, outage", "504 after": "unknown, outage" },
  ...{ "reset before": "unknown, outage", "reset after": "unknown, outage", "no response": "given up" },
  ...{ "reset within the response": "unknown, outage", garbage: "unknown, outage" },
  "half of the JSON": "unknown, outage",
};

describe("a submit's fault", () => {
  test.each(submitFaults)("%s", async (fault) => {
    const [requests, accepted] = [double.requests.length, double.accepted.length];
    const state = await submitInto(fault);
    expect(state === "given up" ? state : `${state.started}, ${state.cause}`).toBe(expected[fault]);
    expect(double.requests).toHaveLength(requests + 1);
    const begun = double.accepted.length - accepted;
    expect(begun).toBe(/after$|within|no response|garbage|half/.test(fault) ? 1 : 0);
    // Only work that certainly did not begin is submitted again.
    expect(state === "given up" || state.started !== "no" || begun === 0).toBe(true);
    expect(JSON.stringify(state)).not.toMatch(/SECRET|test-key/);
    if (fault === "429 with Retry-After") expect(state).toMatchObject({ retryAfter: 1 });
  });

  /** Submits; where fal has the job and stays silent, gives up as the hub does, which then counts it as unknown. */
  async function submitInto(fault: SubmitFault): Promise<FailedJob | "given up"> {
    const expectedAccepted = double.accepted.length + 1;
    const givingUp = new AbortController();
    double.failNextSubmits(fault);
    const submitted = fal.submit(newJob({ prompt: "a tree" }), buildIo({}, givingUp.signal)).catch((error: unknown) => {
      expect(error).toBe(givingUp.signal.reason);
      return "given up" as const;
    });
    if (fault === "no response") {
      await expect.poll(() => double.accepted.length).toBe(expectedAccepted);
      givingUp.abort();
    }
    return (await submitted) as FailedJob | "given up";
  }
});
