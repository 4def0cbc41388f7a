import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSafeFetch } from "../../../server/lib/safe-fetch";
import { bfl } from "../../../server/providers/bfl/bfl";
import { ProviderError } from "../../../server/providers/provider-error";
import type { Job, JobState } from "../../../server/providers/job";
import type { ProviderIo } from "../../../server/providers/provider";
import { type Double, openDouble } from "../double";
import { buildIo, buildJob, buildProvider, readOutput } from "../job";
import { PNG } from "../outputs";
import { submitWithFault, testSubmitFaults } from "../submit-faults";
import { type BflDouble, openBflDouble } from "./double";
import { type BflScript, sendCallback } from "./job";

let double: BflDouble;
/** A server that collects callbacks. */
let receiver: Double;
beforeAll(async () => {
  double = await openBflDouble();
  const respond = () => ({ status: 204 });
  receiver = await openDouble({ isSubmit: () => false, respond, describeError: () => undefined });
});
afterAll(() => Promise.all([double.close(), receiver.close()]));

const buildBflJob = (input: Record<string, unknown> = {}, overrides: Partial<Job> = {}, model = "flux-2-pro") =>
  buildJob(buildProvider("bfl", double.url), model, { prompt: "a tree", ...input }, overrides as object);

const lastSubmit = () => double.accepted.at(-1)!.json;

/** Submits a job that runs as the script says, and returns it as accepted. */
async function submitJob(script: BflScript = {}, job = buildBflJob()) {
  double.scriptNextJobs(script);
  const state = await bfl.submit(job, buildIo());
  if (state.state !== "pending") throw new Error(`the submit failed: ${JSON.stringify(state)}`);
  return { job, ...state };
}

/** Polls a job until it has ended, and returns all states. */
async function pollToEnd({ job, upstreamId }: { job: Job; upstreamId: string }, io = buildIo()): Promise<JobState[]> {
  const states: JobState[] = [];
  do states.push(await bfl.poll(job, upstreamId, io));
  while (states.at(-1)!.state === "pending" && states.length < 10);
  return states;
}

/** Returns the only output of a job. */
async function fetchOutput(script: BflScript) {
  const end = (await pollToEnd(await submitJob(script))).at(-1)!;
  if (end.state !== "succeeded") throw new Error(`the job failed: ${JSON.stringify(end)}`);
  return end.outputs[0]!;
}

describe("a job", () => {
  test("is submitted, polled and downloaded without the key", async () => {
    const submitted = await submitJob({ pendingPolls: 2, cost: 4.55 });
    expect(submitted).toMatchObject({ progress: null, costUsd: 45_500_000n, pollAfterSeconds: 1 });
    expect(submitted.upstreamId.length).toBeLessThan(4096);
    const states = await pollToEnd(submitted);
    expect(states).toMatchObject([
      { state: "pending", upstreamId: submitted.upstreamId, progress: 0.4, pollAfterSeconds: 1 },
      { state: "pending", progress: 0.4 },
      { state: "succeeded", upstreamStatus: 200 },
    ]);
    const [output] = (states[2] as Extract<JobState, { state: "succeeded" }>).outputs;
    expect(await readOutput(output!)).toEqual(PNG);
    // Again, as after an interrupted download.
    expect(await readOutput(output!)).toEqual(PNG);
    expect(double.requests.at(-1)!.headers["x-key"]).toBeUndefined();
  });

  test("gets its input as it is, and files as plain base64", async () => {
    const picture = `data:image/png;base64,${PNG.toString("base64")}`;
    await submitJob(
      {},
      buildBflJob({ width: 1024, seed: 7, input_image: picture, input_image_2: "https://x.org/a.png" }),
    );
    expect(lastSubmit()).toEqual({
      prompt: "a tree",
      width: 1024,
      seed: 7,
      input_image: PNG.toString("base64"),
      input_image_2: "https://x.org/a.png",
    });
  });

  test("of a model with a path is submitted there", async () => {
    await submitJob({}, buildBflJob({}, {}, "flux-tools/erase-v1"));
    expect(double.accepted.at(-1)!.url.pathname).toBe("/v1/flux-tools/erase-v1");
  });

  test.each([
    ["no cost", null],
    ["a negative cost", -1],
    ["an absurd cost", 1e12],
  ])("with %s has no known cost", async (_, cost) => {
    expect((await submitJob({ cost })).costUsd).toBeUndefined();
  });
});

describe("a job ends", () => {
  test.each([
    ["Error", { error: { code: "provider_error", retryable: true }, cause: "outage" }],
    ["Failed", { error: { code: "provider_error", retryable: true }, cause: "outage" }],
    ["Request Moderated", { error: { code: "content_refused", retryable: false }, cause: "job", costUsd: 0n }],
    ["Content Moderated", { error: { code: "content_refused", retryable: false }, cause: "job" }],
  ])("with %s", async (status, end) => {
    expect((await pollToEnd(await submitJob({ status }))).at(-1)).toMatchObject({
      state: "failed",
      started: "yes",
      upstreamStatus: 200,
      ...end,
    });
  });

  test("not with a status that is not known yet", async () => {
    const states = await pollToEnd(await submitJob({ status: "Queued" }));
    expect(states.map(({ state }) => state)).toEqual(Array(10).fill("pending"));
  });

  test("not while it is new and unknown, but later", async () => {
    const submitted = await submitJob({ unknownPolls: 3 });
    expect(await bfl.poll(submitted.job, submitted.upstreamId, buildIo())).toMatchObject({
      state: "pending",
      progress: null,
    });
    const openedAt = new Date(Date.now() - 60_000);
    expect(await bfl.poll({ ...submitted.job, openedAt }, submitted.upstreamId, buildIo())).toMatchObject({
      state: "failed",
      started: "yes",
      error: { code: "provider_error", retryable: true },
    });
  });
});

describe("a poll", () => {
  /** Returns an io that records the names that are looked up, none of which can be reached. */
  function openRecordingIo() {
    const names: string[] = [];
    const lookup = async (name: string) => {
      names.push(name);
      return ["127.0.0.1"];
    };
    return { names, io: { ...buildIo(), fetch: createSafeFetch({ allowHosts: [], lookup }) } satisfies ProviderIo };
  }

  test("goes to the maker's host that has the job", async () => {
    const { job, upstreamId } = await submitJob({ pollingUrl: "https://api.eu4.bfl.ai/v1/get_result?id=1" });
    const { names, io } = openRecordingIo();
    const asked = double.requests.length;
    await expect(bfl.poll(job, upstreamId, io)).rejects.toThrow("cannot be reached");
    expect(names).toEqual(["api.eu4.bfl.ai"]);
    expect(double.requests).toHaveLength(asked);
  });

  test.each(["https://bfl.ai.example/v1/get_result?id=1", "http://api.eu.bfl.ai/v1/get_result", "https://x.org"])(
    "never takes the key to %s",
    async (pollingUrl) => {
      const submitted = await submitJob({ pollingUrl });
      const { names, io } = openRecordingIo();
      expect((await pollToEnd(submitted, io)).at(-1)).toMatchObject({ state: "succeeded" });
      expect(names).toEqual([]);
    },
  );

  test("follows redirects within the API", async () => {
    const { job, upstreamId } = await submitJob();
    const id = (JSON.parse(upstreamId) as { id: string }).id;
    const moved = JSON.stringify({ id, pollingUrl: `${double.url}/v1/moved?id=${id}` });
    expect(await bfl.poll(job, moved, buildIo())).toMatchObject({ state: "pending", progress: 0.4 });
  });

  test("that cannot be read says nothing about the job", async () => {
    const { job, upstreamId } = await submitJob();
    const provider = { ...job.route.provider, apiKey: "another-key-0123456789" };
    const other = { ...job, route: { ...job.route, provider } };
    await expect(bfl.poll(other, upstreamId, buildIo())).rejects.toMatchObject({
      name: "ApiError",
      started: "unknown",
    });
  });
});

describe("an output", () => {
  test("may be behind a redirect", async () => {
    expect(await readOutput(await fetchOutput({ output: "redirect" }))).toEqual(PNG);
  });

  test.each([
    ["expired", true],
    ["gone", true],
    ["redirect to private", false],
  ] as const)("that is %s cannot be used", async (output, retryable) => {
    const failure = { code: "invalid_output", retryable };
    await expect(readOutput(await fetchOutput({ output }))).rejects.toMatchObject({ name: "ProviderError", failure });
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data"],
    ["https://example.org/a.png"],
    ["https://other.blob.core.windows.net/a.png"],
    ["file:///etc/passwd"],
  ])("at %s ends the job", async (sample) => {
    await expect(pollToEnd(await submitJob({ sample }))).rejects.toThrow(ProviderError);
  });

  test.each(["https://delivery-eu1.bfl.ai/a.png", "https://bfldeliveryprod.blob.core.windows.net/results/a.png"])(
    "may be at %s",
    async (sample) => {
      expect((await pollToEnd(await submitJob({ sample }))).at(-1)).toMatchObject({ state: "succeeded" });
    },
  );

  test("without an end is passed on piece by piece, until its reader stops", async () => {
    const output = await fetchOutput({ output: "endless" });
    let size = 0;
    const reading = output.read(async (content) => {
      for await (const chunk of content) if ((size += chunk.length) > 8_000_000) throw new Error("too large");
    });
    await expect(reading).rejects.toThrow("too large");
    expect(size).toBeLessThan(9_000_000);
  });

  test("that is missing fails the job", async () => {
    const { job, upstreamId } = await submitJob({ pendingPolls: 0, sample: null });
    expect(await bfl.poll(job, upstreamId, buildIo())).toMatchObject({
      state: "failed",
      started: "yes",
      error: { code: "invalid_output", retryable: true },
    });
  });
});

testSubmitFaults(() => ({ provider: bfl, job: buildBflJob(), double }));

describe("a submit that is rejected", () => {
  test("names the parameters to the customer", async () => {
    const job = buildBflJob({ width: 100, aspect: "1:1" });
    const state = await bfl.submit(job, buildIo());
    expect(state).toMatchObject({ state: "failed", started: "no", cause: "job" });
    const { message } = (state as Extract<JobState, { state: "failed" }>).error;
    expect(message).toMatch(/aspect: must NOT have additional properties.*width: must be multiple of 16\.$/);
  });

  test.each([
    ["a malformed key", { apiKey: "short" }, "flux-2-pro", 422],
    ["another key", { apiKey: "another-key-0123456789" }, "flux-2-pro", 403],
    ["an unknown model", {}, "flux-9", 404],
  ])("for %s is the operator's", async (_, settings, model, upstreamStatus) => {
    const job = buildJob({ ...buildProvider("bfl", double.url), ...settings }, model, { prompt: "a tree" });
    expect(await bfl.submit(job, buildIo())).toMatchObject({ started: "no", cause: "account", upstreamStatus });
  });
});

describe("a callback", () => {
  const callbackUrl = () => `${receiver.url}/api/callbacks/providers/1?token=t`;
  const calledBack = (input = {}) => buildBflJob(input, { callbackUrl: callbackUrl() });
  const read = ({ attemptId, route }: Job, { headers, body }: { headers: Record<string, string>; body: string }) =>
    bfl.callback(
      { headers: new Headers(headers), body: Buffer.from(body) },
      { attemptId, route, upstreamId: null },
      buildIo(),
    );

  test("finds the job of a submit whose response was lost", async () => {
    const job = calledBack();
    const { state, accepted } = await submitWithFault({ provider: bfl, job, double }, "reset after");
    expect({ ...state, accepted }).toMatchObject({ started: "unknown", accepted: 1 });
    const callback = double.endJob(double.listJobs().at(-1)!);
    expect(callback.url).toBe(callbackUrl());
    const { upstreamId } = await read(job, callback);
    expect(await bfl.poll(job, upstreamId!, buildIo())).toMatchObject({ state: "succeeded" });
    // A second delivery says the same.
    expect(await read(job, callback)).toEqual({ upstreamId });
  });

  test("is delivered with its signature", async () => {
    const submitted = await submitJob({}, calledBack());
    expect(await sendCallback(double.endJob(double.listJobs().at(-1)!))).toBe(204);
    const { headers, body } = receiver.requests.at(-1)!;
    await read(submitted.job, { headers: headers as Record<string, string>, body: String(body) });
  });

  test("that is forged is rejected", async () => {
    const [first, second] = [await submitJob({}, calledBack()), await submitJob({}, calledBack())];
    const [callback, other] = double.listJobs().slice(-2).map(double.endJob) as [
      ReturnType<BflDouble["endJob"]>,
      ReturnType<BflDouble["endJob"]>,
    ];
    const signed = callback.headers["x-bfl-signature"]!;
    const forgeries = [
      { ...callback, body: callback.body.replace("Ready", "Error") },
      { ...callback, headers: {} },
      { ...callback, headers: { "x-bfl-signature": signed.slice("sha256=".length) } },
      { ...callback, headers: { "x-bfl-signature": `sha256=${"0".repeat(64)}` } },
      { ...callback, headers: { "x-bfl-signature": signed.slice(0, -2) } },
      other,
    ];
    for (const forgery of forgeries)
      await expect(read(first.job, forgery)).rejects.toMatchObject({ name: "AppError", code: "unauthorized" });
    expect(await read(second.job, other)).toEqual({ upstreamId: second.upstreamId });
  });

  test.each([["half of the JSON"], ["{}"], [JSON.stringify({ id: 7 })]])(
    "with the body %s names no job",
    async (body) => {
      const job = buildBflJob();
      job.route.provider.apiKey = null;
      expect(await read(job, { headers: {}, body })).toEqual({});
    },
  );

  test("is not asked of a model that does not know it", async () => {
    await submitJob({}, calledBack({ webhook_url: null }));
    expect(lastSubmit()).toEqual({ prompt: "a tree" });
  });
});

describe("a check", () => {
  const check = (settings: object, url = double.url) =>
    bfl.check(buildJob({ ...buildProvider("bfl", url), ...settings }, "flux-2-pro", {}).route, buildIo());

  test("of a key is free of charge", async () => {
    const accepted = double.accepted.length;
    expect(await check({})).toBeNull();
    expect(await check({ apiKey: "another-key-0123456789" })).toBe("The provider rejects the key.");
    expect(await check({ apiKey: "short" })).toBe("The provider rejects the key.");
    expect(double.accepted).toHaveLength(accepted);
  });

  test("reports that the credits are used up", async () => {
    double.setCredits(0);
    expect(await check({})).toBe("The account at the provider has no credits.");
    double.setCredits(100);
  });

  test("reports that nobody listens", async () => {
    expect(await check({}, "http://127.0.0.1:1")).toBe("The provider cannot be reached.");
  });
});
