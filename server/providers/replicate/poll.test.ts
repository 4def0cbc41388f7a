import { beforeEach, describe, expect, test } from "vitest";
import { inspectContent } from "../../domain/content/inspect-content";
import { outputType } from "../../domain/generations/run/store-outputs";
import { buildIo, readOutput } from "../../../test/providers/job";
import { openReplicateDouble, type ReplicateDouble } from "../../../test/providers/replicate/double";
import { buildReplicateJob } from "../../../test/providers/replicate/job";
import { type OutcomeName, PICTURE } from "../../../test/providers/replicate/outcomes";
import type { FailedJob, Job, JobState } from "../job";
import { cancelPrediction, findOutputs, pollPrediction } from "./poll";
import { findProgress, readLogTail } from "./read-log";
import { submitPrediction } from "./submit";

let double: ReplicateDouble;
beforeEach(async () => {
  double = await openReplicateDouble();
  return double.close;
});

type Pending = Extract<JobState, { state: "pending" }>;
type Succeeded = Extract<JobState, { state: "succeeded" }>;

async function submit(outcome: OutcomeName = "picture"): Promise<{ job: Job; id: string }> {
  double.setOutcomes(outcome);
  const job = buildReplicateJob(double);
  const { upstreamId } = (await submitPrediction(job, buildIo())) as Pending;
  return { job, id: upstreamId };
}

/** Returns the state in which a prediction ends. */
async function finish(outcome: OutcomeName): Promise<JobState> {
  const { job, id } = await submit(outcome);
  await double.endAll();
  return pollPrediction(job, id, buildIo());
}

describe("a prediction that runs", () => {
  test("stays pending, also with statuses that are not known", async () => {
    double.settings.statuses = ["queued", "processing", "uploading"];
    const { job, id } = await submit();
    const states: JobState[] = [];
    for (let polls = 0; polls < 4; polls += 1) states.push(await pollPrediction(job, id, buildIo()));
    expect(states.map(({ state }) => state)).toEqual(["pending", "pending", "pending", "succeeded"]);
    const log = [{ text: "Using seed: 42", end: 14 }];
    expect(states[0]).toEqual({ state: "pending", upstreamId: id, progress: null, pollAfterSeconds: 1, log });
  });

  test("tells the end of its log without secrets, and the share of its last bar of progress", () => {
    const provider = buildReplicateJob(double).route.provider;
    const bars = " 20%|██        | 4/20\r 40%|████      | 8/20\r";
    const log = readLogTail(`key ${provider.apiKey}\r\n${bars} 60%|████`, provider);
    expect(log.map(({ text }) => text)).toEqual(["key […]", "20%|██        | 4/20", "40%|████      | 8/20"]);
    expect(findProgress(log)).toBe(0.4);
    expect(findProgress([{ text: "100% of nothing" }])).toBeNull();
    // Of a long log only the end is read, from its first whole line on.
    const long = `${"x".repeat(100_000)}\n${"line\n".repeat(30)}${"y".repeat(5_000_000)}`;
    expect(readLogTail(long, provider)).toEqual([]);
    const tail = readLogTail(`${"x".repeat(20_000)}\n${"line\n".repeat(30)}`, provider);
    expect(tail).toHaveLength(20);
    expect(tail.at(-1)).toEqual({ text: "line", end: 20_150 });
  });

  test("is polled less often the longer it runs", async () => {
    double.settings.statuses = ["processing", "processing"];
    const { job, id } = await submit();
    const later = (seconds: number) => ({ ...buildIo(), now: () => new Date(job.openedAt.getTime() + seconds * 1000) });
    expect(await pollPrediction(job, id, later(30))).toMatchObject({ pollAfterSeconds: 5 });
    expect(await pollPrediction(job, id, later(600))).toMatchObject({ pollAfterSeconds: 15 });
  });

  test("is unknown for now while the API cannot be read", async () => {
    const { job, id } = await submit();
    double.settings.throttledSeconds = 60;
    await expect(pollPrediction(job, id, buildIo())).rejects.toMatchObject({ name: "ApiError", retryAfter: 60 });
    double.settings.throttledSeconds = 0;
    await expect(pollPrediction(job, "doesnotexist", buildIo())).rejects.toThrow("status 404");
    await double.close();
    await expect(pollPrediction(job, "any", buildIo())).rejects.toMatchObject({ name: "ApiError" });
  });

  test("can be canceled, and then counts as begun", async () => {
    const { job, id } = await submit();
    await cancelPrediction(job, id, buildIo());
    expect(await pollPrediction(job, id, buildIo())).toMatchObject({ started: "yes", error: { retryable: true } });
    expect(await cancelPrediction(job, "doesnotexist", buildIo())).toBe("refused");
  });
});

describe("outputs", () => {
  const pictureUrl = { type: "image/png", content: PICTURE };
  test.each<[OutcomeName, { type: string | null; content: Buffer }[]]>([
    ["picture", [pictureUrl]],
    ["two pictures", [pictureUrl, pictureUrl]],
    ["files by name", [pictureUrl, { type: "image/svg+xml", content: expect.anything() as Buffer }]],
    ["inline picture", [pictureUrl]],
    ["moved file", [pictureUrl]],
    ["text", [{ type: "text/plain", content: Buffer.from("A cat on a mat. See https://example.com/cat.png") }]],
    ["json", [{ type: "application/json", content: Buffer.from('{"label":"cat","scores":[0.9,0.1]}') }]],
    ["text in pieces", [{ type: "application/json", content: Buffer.from('["A cat"," on a"," mat."]') }]],
    ["nothing", []],
  ])("of %s are found in their order", async (outcome, expected) => {
    const state = (await finish(outcome)) as Succeeded;
    const outputs = await Promise.all(
      state.outputs.map(async (output) => {
        const content = await readOutput(output);
        return { type: outputType(await inspectContent(toStream(content)), output.mediaType), content };
      }),
    );
    expect(outputs).toEqual(expected);
    expect(state.usage).toEqual({ computeSeconds: 1.25 });
    const downloads = double.requests.filter(({ url }) => url.pathname.startsWith("/delivery/"));
    expect(downloads.flatMap(({ headers }) => headers.authorization ?? [])).toEqual([]);
  });

  test("within the response are read as far as memory is reserved for them", async () => {
    const { job, id } = await submit("large inline picture");
    await double.endAll();
    let reserved = 0;
    const io = { ...buildIo(), reserveMemory: async (bytes: number) => void (reserved += bytes) };
    const { outputs } = (await pollPrediction(job, id, io)) as Succeeded;
    expect((await readOutput(outputs[0]!)).length).toBe(PICTURE.length + 2 * 1024 * 1024);
    expect(reserved).toBeGreaterThan(2 * 1024 * 1024);
  });

  test("are files only at Replicate's own hosts", () => {
    const { provider } = buildReplicateJob({ base: "https://api.replicate.com/v1" }).route;
    const isFile = (text: string) => findOutputs(text, provider, buildIo())[0]!.mediaType !== "text/plain";
    expect(isFile("https://replicate.delivery/a/out.png")).toBe(true);
    expect(isFile("https://abc.replicate.delivery/a/out.png")).toBe(true);
    expect(isFile("http://replicate.delivery/a/out.png")).toBe(false);
    expect(isFile("https://replicate.delivery.example.com/a/out.png")).toBe(false);
    expect(isFile("https://user@replicate.delivery/out.png")).toBe(false);
    expect(isFile("https://replicate.delivery/a/out.png is your picture")).toBe(false);
  });

  test.each<[OutcomeName, string]>([
    ["redirect to a private address", "The provider named an output that the hub must not download."],
    ["file gone", "The provider no longer has the output."],
  ])("behind a %s cannot be read", async (outcome, message) => {
    const { outputs } = (await finish(outcome)) as Succeeded;
    await expect(readOutput(outputs[0]!)).rejects.toMatchObject({ failure: { code: "invalid_output", message } });
  });

  test("that are not what they say are recognized by their content", async () => {
    const { outputs } = (await finish("wrong media type")) as Succeeded;
    const content = await inspectContent(toStream(await readOutput(outputs[0]!)));
    expect(outputType(content, outputs[0]!.mediaType)).toBe(null);
  });

  test("of 2 GiB are not downloaded", async () => {
    const { outputs } = (await finish("huge file")) as Succeeded;
    const read = outputs[0]!.read(() => expect.unreachable("the content is stored"));
    const failure = { code: "invalid_output", message: "An output is larger than 1 GiB.", retryable: false };
    await expect(read).rejects.toMatchObject({ failure });
  });
});

describe("a prediction that ends badly", () => {
  test.each<[OutcomeName, Partial<FailedJob>, Partial<FailedJob["error"]>]>([
    ["nsfw error", { started: "yes", cause: "job" }, { code: "content_refused", retryable: false }],
    ["sensitive error", { started: "yes", cause: "job" }, { code: "content_refused", retryable: false }],
    ["interrupted error", { started: "yes", cause: "outage" }, { code: "provider_error", retryable: true }],
    ["director error", { started: "yes", cause: "outage" }, { code: "provider_error", retryable: true }],
    ["model error", { started: "yes", cause: "job" }, { code: "provider_error", retryable: false }],
    ["error without a text", { started: "yes", cause: "job" }, { message: "The provider's model failed." }],
    ["canceled", { started: "yes", cause: "job" }, { code: "provider_error", retryable: true }],
    ["aborted", { started: "no", cause: "capacity" }, { code: "timeout", retryable: true }],
    ["expired", { started: "yes", cause: "job" }, { code: "invalid_output", retryable: true }],
    ["too many values", { started: "yes", cause: "job" }, { code: "invalid_output" }],
    ["broken data URI", { started: "yes", cause: "job" }, { code: "invalid_output", retryable: true }],
  ])("by %s fails", async (outcome, state, error) => {
    expect(await finish(outcome)).toMatchObject({ state: "failed", ...state, error });
  });

  test("tells customers nothing but a sentence without addresses and keys", async () => {
    const { error } = (await finish("model error")) as FailedJob;
    expect(error.message).toBe("The provider's model failed: Prompt is too long. See […] key […].");
  });

  test("has no outputs an hour after its success", async () => {
    const { job, id } = await submit();
    await double.endAll();
    double.advance(3_601);
    const state = await pollPrediction(job, id, buildIo());
    expect(state).toMatchObject({ started: "yes", error: { message: "The provider no longer has the output." } });
  });

  test("is stopped by Replicate at its deadline, and costs nothing before it starts", async () => {
    const [waiting, running] = [await submit(), await submit()];
    await pollPrediction(running.job, running.id, buildIo());
    double.advance(601);
    expect(await pollPrediction(waiting.job, waiting.id, buildIo())).toMatchObject({ started: "no" });
    expect(await pollPrediction(running.job, running.id, buildIo())).toMatchObject({ started: "yes" });
  });
});

async function* toStream(content: Buffer): AsyncGenerator<Uint8Array> {
  yield content;
}
