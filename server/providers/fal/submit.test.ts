import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FalDouble, openFalDouble } from "../../../test/providers/fal/double";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import { testSubmitFaults } from "../../../test/providers/submit-faults";
import type { Job } from "../job";
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
      state: "pending",
      progress: null,
      queuePosition: 3,
      pollAfterSeconds: 1,
      upstreamId: JSON.stringify({ request_id: id, ...urls }),
    });
  });

  test("just before the deadline names the shortest time that fal accepts", async () => {
    const job = newJob({ prompt: "a tree" }, { deadlineAt: new Date() });
    expect(await fal.submit(job, buildIo())).toMatchObject({ state: "pending" });
    expect(double.accepted.at(-1)!.headers).toMatchObject({ "x-fal-request-timeout": "2" });
  });

  test("is accepted whatever it says of its place in the queue", async () => {
    double.queuePositions.push(3_000_000_000);
    expect(await fal.submit(newJob({ prompt: "a tree" }), buildIo())).toMatchObject({
      state: "pending",
      queuePosition: undefined,
    });
  });

  test("of a content that fal refuses is tried nowhere else", async () => {
    const accepted = double.accepted.length;
    const state = await fal.submit(newJob({ prompt: "something forbidden" }), buildIo());
    expect(state).toMatchObject({ started: "no", cause: "job", error: { code: "content_refused", retryable: false } });
    expect(double.accepted).toHaveLength(accepted);
  });
});

testSubmitFaults(() => ({ provider: fal, job: newJob({ prompt: "a tree" }), double }));
