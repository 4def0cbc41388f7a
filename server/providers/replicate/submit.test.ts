import { beforeEach, describe, expect, test } from "vitest";
import { buildIo } from "../../../test/providers/job";
import { openReplicateDouble, type ReplicateDouble } from "../../../test/providers/replicate/double";
import { buildReplicateJob } from "../../../test/providers/replicate/job";
import { COMMUNITY_MODEL, DEPLOYMENT, OFFICIAL_MODEL, VERSION } from "../../../test/providers/replicate/models";
import { testSubmitFaults } from "../../../test/providers/submit-faults";
import { describeProblem } from "./describe-problem";
import { replicate } from "./replicate";
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
      state: "pending",
      upstreamId: double.predictions[0]!.id,
      progress: null,
      pollAfterSeconds: 1,
    });
    expect(double.requests).toMatchObject([
      {
        json: {
          version: OFFICIAL_MODEL,
          input: job.input,
          webhook: job.callbackUrl,
          webhook_events_filter: ["completed"],
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
  testSubmitFaults(() => ({ provider: replicate, job: buildReplicateJob(double), double }), {
    different: { "429": { retryAfter: 30 } },
  });

  test("for a wrong input tells what is wrong", async () => {
    const state = await submitPrediction(buildReplicateJob(double, { input: { num_outputs: 9 } }), buildIo());
    expect(state).toMatchObject({
      started: "no",
      cause: "job",
      upstreamStatus: 422,
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
