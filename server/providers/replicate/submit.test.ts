import { beforeEach, describe, expect, test, vi } from "vitest";
import { type SubmitFault, submitFaults } from "../../../test/providers/double";
import { buildIo } from "../../../test/providers/job";
import { openReplicateDouble, type ReplicateDouble } from "../../../test/providers/replicate/double";
import { buildReplicateJob } from "../../../test/providers/replicate/job";
import { COMMUNITY_MODEL, DEPLOYMENT, OFFICIAL_MODEL, VERSION } from "../../../test/providers/replicate/models";
import type { FailedJob } from "../provider";
import { describeProblem } from "./describe-problem";
import { submitPrediction } from "./submit";

let double: ReplicateDouble;
beforeEach(async () => {
  double = await openReplicateDouble();
  return double.close;
});

describe("a submit", () => {
  test("returns the prediction's id at once and asks for one callback", async () => {
    const job = buildReplicateJob(double);
    expect(await submitPrediction(job, buildIo())).toEqual({
      ...{ state: "pending", upstreamId: double.predictions[0]!.id, progress: null, pollAfterSeconds: 1 },
    });
    expect(double.requests).toMatchObject([
      {
        json: {
          ...{ version: OFFICIAL_MODEL, input: job.input },
          ...{ webhook: job.callbackUrl, webhook_events_filter: ["completed"] },
        },
      },
    ]);
    expect(double.requests[0]!.headers).not.toHaveProperty("prefer");
  });

  test.each([
    [OFFICIAL_MODEL, "/v1/predictions", OFFICIAL_MODEL],
    [`${COMMUNITY_MODEL}:${VERSION}`, "/v1/predictions", `${COMMUNITY_MODEL}:${VERSION}`],
    [VERSION, "/v1/predictions", VERSION],
    [DEPLOYMENT, `/v1/${DEPLOYMENT}/predictions`, undefined],
  ])("of %s goes to %s", async (upstreamModel, path, version) => {
    const job = buildReplicateJob(double, { upstreamModel, callbackUrl: null });
    expect(await submitPrediction(job, buildIo())).toMatchObject({ state: "pending" });
    expect(double.accepted.map(({ url, json }) => [url.pathname, json])).toEqual([
      [path, { ...(version && { version }), input: job.input }],
    ]);
  });

  test.each([
    [-10, "5s"],
    [2, "5s"],
    [59, "59s"],
    [600, "10m"],
    [3_605, "1h5s"],
    [5_400, "1h30m"],
    [200_000, "24h"],
  ])("with %s seconds left is canceled after %s", async (seconds, header) => {
    const now = new Date();
    const job = buildReplicateJob(double, { deadlineAt: new Date(now.getTime() + seconds * 1000) });
    await submitPrediction(job, { ...buildIo(), now: () => now });
    expect(double.accepted[0]!.headers["cancel-after"]).toBe(header);
  });

  test("takes a response that repeats a large input", async () => {
    const image = `data:image/png;base64,${"A".repeat(3_000_000)}`;
    const job = buildReplicateJob(double, { input: { prompt: "a cat", image } });
    expect(await submitPrediction(job, buildIo())).toMatchObject({ state: "pending" });
  });
});

describe("a submit that fails", () => {
  const lost = { started: "unknown", cause: "outage" };
  const refused = { started: "no", code: "provider_refused", accepted: 0 };
  const expected: Record<SubmitFault, Record<string, unknown>> = {
    "400": { ...refused, cause: "job", status: 400 },
    "401": { ...refused, cause: "account", status: 401 },
    "402": { ...refused, cause: "account", status: 402 },
    "404": { ...refused, cause: "account", status: 404 },
    "422": { ...refused, cause: "job", status: 422 },
    "429": { ...refused, cause: "capacity", status: 429, retryAfter: 30 },
    "429 with Retry-After": { ...refused, cause: "capacity", status: 429, retryAfter: 1 },
    "503": { ...refused, cause: "capacity", status: 503 },
    "500 before": { ...lost, code: "provider_error", status: 500, accepted: 0 },
    "502 before": { ...lost, code: "provider_error", status: 502, accepted: 0 },
    "504 before": { ...lost, code: "provider_error", status: 504, accepted: 0 },
    "500 after": { ...lost, code: "provider_error", status: 500, accepted: 1 },
    "502 after": { ...lost, code: "provider_error", status: 502, accepted: 1 },
    "504 after": { ...lost, code: "provider_error", status: 504, accepted: 1 },
    "reset before": { ...lost, code: "provider_error", accepted: 0 },
    "reset after": { ...lost, code: "provider_error", accepted: 1 },
    "reset within the response": { ...lost, code: "provider_error", accepted: 1 },
    "no response": { ...lost, code: "timeout", accepted: 1 },
    garbage: { ...lost, code: "invalid_output", status: 201, accepted: 1 },
    "half of the JSON": { ...lost, code: "invalid_output", status: 201, accepted: 1 },
  };

  /** Submits as the hub does, which gives up waiting at some time and then counts the submit as unknown. */
  const submit = async (fault: SubmitFault): Promise<FailedJob> => {
    const limit = new AbortController();
    const submitting = submitPrediction(buildReplicateJob(double), buildIo({}, limit.signal));
    if (fault === "no response") {
      await vi.waitUntil(() => double.accepted.length === 1);
      limit.abort(new DOMException("The operation timed out.", "TimeoutError"));
      await expect(submitting).rejects.toMatchObject({ name: "TimeoutError" });
      return givenUp;
    }
    return (await submitting) as FailedJob;
  };
  const givenUp: FailedJob = {
    ...{ state: "failed", started: "unknown", cause: "outage" },
    error: { code: "timeout", message: "The provider did not respond in time.", retryable: true },
  };

  test.each(submitFaults)("by %s tells whether the work began", async (fault) => {
    double.failNextSubmits(fault);
    const { started, cause, error, upstreamStatus: status, retryAfter } = await submit(fault);
    const accepted = double.accepted.length;
    expect({ started, cause, code: error.code, status, retryAfter, accepted }).toEqual({
      ...{ status: undefined, retryAfter: undefined },
      ...expected[fault],
    });
    expect(started !== "no" || accepted === 0).toBe(true);
    expect(double.requests).toHaveLength(1);
  });

  test("because nobody listens has certainly not begun", async () => {
    await double.close();
    const state = await submitPrediction(buildReplicateJob(double), buildIo());
    expect(state).toMatchObject({ state: "failed", started: "no", cause: "outage" });
  });

  test("for a wrong input tells what is wrong", async () => {
    const state = await submitPrediction(buildReplicateJob(double, { input: { num_outputs: 9 } }), buildIo());
    expect(state).toMatchObject({
      ...{ started: "no", cause: "job", upstreamStatus: 422 },
      error: { message: expect.stringContaining("input.num_outputs: must be <= 4") as string, retryable: false },
    });
    expect(double.accepted).toEqual([]);
  });

  test("for a version that does not exist lets another route try", async () => {
    const state = await submitPrediction(buildReplicateJob(double, { upstreamModel: COMMUNITY_MODEL }), buildIo());
    expect(state).toMatchObject({ started: "no", cause: "account", upstreamStatus: 422, error: { retryable: true } });
  });

  test.each([
    [
      "a flagged prompt",
      422,
      { detail: "The prompt was flagged as unsafe." },
      { started: "no", code: "content_refused" },
    ],
    ["a wait in the body", 429, { detail: "Slow down.", retry_after: 0.4 }, { started: "no", retryAfter: 1 }],
    ["a body that is not JSON", 429, undefined, { started: "no", retryAfter: undefined }],
  ])("with %s is understood", (_, status, body, wanted) => {
    const { provider } = buildReplicateJob(double).route;
    const { error, ...state } = describeProblem({ status, body, headers: {}, bytes: new Uint8Array() }, provider);
    expect({ ...error, ...state }).toMatchObject(wanted);
  });
});
