import { beforeEach, describe, expect, test } from "vitest";
import type { SubmitFault } from "../../../test/providers/double";
import { buildIo } from "../../../test/providers/job";
import { openReplicateDouble, type ReplicateDouble } from "../../../test/providers/replicate/double";
import { buildReplicateJob } from "../../../test/providers/replicate/job";
import { recoverPrediction } from "./recover";
import { submitPrediction } from "./submit";

let double: ReplicateDouble;
beforeEach(async () => {
  double = await openReplicateDouble();
  return double.close;
});

/** Submits a job whose response gets lost. */
async function submit(fault: SubmitFault = "502 after", overrides: Parameters<typeof buildReplicateJob>[1] = {}) {
  double.failNextSubmits(fault);
  const job = buildReplicateJob(double, overrides);
  expect(await submitPrediction(job, buildIo())).toMatchObject({ state: "failed", started: "unknown" });
  return job;
}

describe("recovery", () => {
  test.each<SubmitFault>([
    "500 after",
    "502 after",
    "504 after",
    "reset after",
    "reset within the response",
    "garbage",
  ])("finds the prediction after %s and never creates another", async (fault) => {
    const job = await submit(fault);
    const { id } = double.predictions[0]!;
    expect(await recoverPrediction(job, buildIo())).toMatchObject({ state: "pending", upstreamId: id });
    expect(await recoverPrediction(job, buildIo())).toMatchObject({ state: "succeeded" });
    expect(double.accepted).toHaveLength(1);
    expect(double.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test.each<SubmitFault>(["500 before", "reset before"])("does not know after %s", async (fault) => {
    expect(await recoverPrediction(await submit(fault), buildIo())).toBe("unknown");
  });

  test("does not know without a callback URL, and asks nothing", async () => {
    const job = await submit("502 after", { callbackUrl: null });
    expect(await recoverPrediction(job, buildIo())).toBe("unknown");
    expect(double.requests).toHaveLength(1);
  });

  test("does not know when predictions do not show their webhooks", async () => {
    double.settings.showsWebhooks = false;
    expect(await recoverPrediction(await submit(), buildIo())).toBe("unknown");
  });

  test("does not take the prediction of another attempt", async () => {
    await submit();
    const other = buildReplicateJob(double);
    expect(await recoverPrediction(other, buildIo())).toBe("unknown");
  });

  test("turns pages, but not without end", async () => {
    double.settings.pageSize = 1;
    const job = await submit();
    const addOthers = async (count: number) => {
      for (let added = 0; added < count; added += 1) await submitPrediction(buildReplicateJob(double), buildIo());
    };
    await addOthers(19);
    expect(await recoverPrediction(job, buildIo())).toMatchObject({ state: "pending" });
    await addOthers(1);
    expect(await recoverPrediction(job, buildIo())).toBe("unknown");
  });

  test("does not know when a page of the list is too large", async () => {
    double.setOutcomes("too many values");
    await submitPrediction(buildReplicateJob(double), buildIo());
    await double.endAll();
    expect(await recoverPrediction(await submit(), buildIo())).toBe("unknown");
  });

  test("looks only at the time of the submit", async () => {
    const job = await submit();
    await recoverPrediction(job, buildIo());
    const { url } = double.requests.find(({ method }) => method === "GET")!;
    const [after, before] = ["created_after", "created_before"].map((name) => Date.parse(url.searchParams.get(name)!));
    expect([job.openedAt.getTime() - after!, before! - job.openedAt.getTime()]).toEqual([120_000, 120_000]);
  });

  test("is repeated later while the list cannot be read", async () => {
    const job = await submit();
    await double.close();
    await expect(recoverPrediction(job, buildIo())).rejects.toMatchObject({ name: "ApiError" });
  });
});
