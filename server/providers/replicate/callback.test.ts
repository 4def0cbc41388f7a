import { beforeEach, describe, expect, test } from "vitest";
import { buildIo } from "../../../test/providers/job";
import { createSecret } from "../../../test/providers/replicate/callbacks";
import { openReplicateDouble, type ReplicateDouble } from "../../../test/providers/replicate/double";
import { buildReplicateJob } from "../../../test/providers/replicate/job";
import type { Job } from "../job";
import type { CallbackRequest } from "../provider";
import { readCallback } from "./callback";
import { submitPrediction } from "./submit";

let double: ReplicateDouble;
let job: Job;
beforeEach(async () => {
  double = await openReplicateDouble();
  job = buildReplicateJob(double);
  return double.close;
});

/** Runs the job to its end and returns its callbacks. */
async function complete(): Promise<CallbackRequest[]> {
  const before = double.callbacks.length;
  await submitPrediction(job, buildIo());
  await double.endAll();
  return double.callbacks.slice(before).map(({ headers, body }) => ({
    headers: new Headers(headers),
    body: Buffer.from(body),
  }));
}

const read = (request: CallbackRequest, io = buildIo(), { attemptId } = job) =>
  readCallback(request, { attemptId, upstreamId: null, route: job.route }, io);
const secretReads = () => double.requests.filter(({ url }) => url.pathname.endsWith("/secret")).length;
const unauthorized = { name: "AppError", code: "unauthorized" };

describe("a callback", () => {
  test("that is signed names its prediction; the secret is read once", async () => {
    double.settings.callbacks = "doubled";
    const [first, second] = await complete();
    const { id } = double.predictions[0]!;
    expect(await read(first!)).toEqual({ upstreamId: id });
    expect(await read(second!)).toEqual({ upstreamId: id });
    expect(secretReads()).toBe(1);
  });

  test("that comes before the response to the submit is accepted", async () => {
    double.settings.callbacks = "early";
    const [early] = await complete();
    expect(await read(early!)).toEqual({ upstreamId: double.predictions[0]!.id });
  });

  test("may have several signatures", async () => {
    const [request] = await complete();
    const { headers, body } = request!;
    headers.set("webhook-signature", `v2,abc v1,AAAA ${headers.get("webhook-signature")} v1,`);
    expect(await read({ headers, body })).toHaveProperty("upstreamId");
  });

  test("that is forged is rejected, and does not make the hub read the secret again and again", async () => {
    double.settings.callbacks = "forged";
    const [forged] = await complete();
    for (let count = 0; count < 3; count += 1) await expect(read(forged!)).rejects.toMatchObject(unauthorized);
    expect(secretReads()).toBe(1);
  });

  test.each([
    ["another body", ({ headers, body }) => ({ headers, body: Buffer.concat([body, Buffer.from(" ")]) })],
    ["another id", ({ headers, body }) => ({ body, headers: withHeader(headers, "webhook-id", "msg_2") })],
    ["no id", ({ headers, body }) => ({ body, headers: withHeader(headers, "webhook-id", "") })],
    ["no signature", ({ headers, body }) => ({ body, headers: withHeader(headers, "webhook-signature", "") })],
    [
      "a time that is none",
      ({ headers, body }) => ({ body, headers: withHeader(headers, "webhook-timestamp", "1e9") }),
    ],
  ] satisfies [string, (request: CallbackRequest) => CallbackRequest][])("with %s is rejected", async (_, change) => {
    const [request] = await complete();
    await expect(read(change(request!))).rejects.toMatchObject(unauthorized);
  });

  test.each([
    [-301, false],
    [-290, true],
    [290, true],
    [301, false],
  ])("is read %s seconds after it was signed: %s", async (seconds, isAccepted) => {
    const [request] = await complete();
    const signedAt = Number(request!.headers.get("webhook-timestamp")) * 1000;
    const report = read(request!, { ...buildIo(), now: () => new Date(signedAt + seconds * 1000) });
    if (isAccepted) expect(await report).toHaveProperty("upstreamId");
    else await expect(report).rejects.toMatchObject(unauthorized);
  });

  test("of another attempt is rejected although it is signed", async () => {
    const [request] = await complete();
    await expect(read(request!, buildIo(), buildReplicateJob(double))).rejects.toMatchObject(unauthorized);
  });

  test("is verified with a new secret after the account's was changed", async () => {
    const [old] = await complete();
    await read(old!);
    double.settings.secret = createSecret();
    const [request] = await complete();
    const later = { ...buildIo(), now: () => new Date(Date.now() + 61_000) };
    expect(await read(request!, later)).toHaveProperty("upstreamId");
    expect(secretReads()).toBe(2);
  });

  test("is neither accepted nor rejected while the secret cannot be read", async () => {
    const [request] = await complete();
    await double.close();
    await expect(read(request!)).rejects.toMatchObject({ name: "ApiError" });
  });
});

function withHeader(headers: Headers, name: string, value: string): Headers {
  const changed = new Headers(headers);
  changed.set(name, value);
  return changed;
}
