import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspectContent } from "../../domain/content/inspect-content";
import { outputType } from "../../domain/generations/run/store-outputs";
import { type FalDouble, type FalEnd, openFalDouble } from "../../../test/providers/fal/double";
import { describeInvalid, describeOutage, PICTURE } from "../../../test/providers/fal/samples";
import { buildIo, buildJob, buildProvider, readOutput } from "../../../test/providers/job";
import { StorageUnavailable } from "../../lib/is-unavailable";
import { createSafeFetch, type SafeFetch } from "../../lib/safe-fetch";
import { ApiError } from "../http/call-api";
import type { Job, JobState } from "../job";
import { fal } from "./fal";

let double: FalDouble;
beforeAll(async () => {
  double = await openFalDouble();
});
afterAll(() => double.close());

const newJob = (input: Record<string, unknown> = {}) =>
  buildJob(buildProvider("fal", double.url), "fal-ai/flux/schnell", { prompt: "a tree", ...input });
const succeeds = (body: unknown): FalEnd => ({ result: { status: 200, body } });
const fileUrl = (name: string) => `${double.url}/files/${name}`;
const picture = (name = "picture.png") => ({ url: fileUrl(name), content_type: "image/png" });

async function submitJob(job: Job, ...ends: FalEnd[]): Promise<string> {
  double.endNextJobs(...ends);
  const state = await fal.submit(job, buildIo());
  if (state.state !== "pending") throw new Error(`the job is ${JSON.stringify(state)}`);
  return state.upstreamId;
}

/** Returns the third state of a job, with which the test double ends it. */
async function endJob(end?: FalEnd, job = newJob(), io = buildIo()): Promise<JobState> {
  const upstreamId = await submitJob(job, ...(end ? [end] : []));
  await fal.poll(job, upstreamId, buildIo());
  await fal.poll(job, upstreamId, buildIo());
  return fal.poll(job, upstreamId, io);
}

function outputsOf(state: JobState) {
  if (state.state !== "succeeded") throw new Error(`the job is ${JSON.stringify(state)}`);
  return state.outputs;
}

describe("a job", () => {
  test("waits, runs, and delivers its pictures", async () => {
    const job = newJob();
    const upstreamId = await submitJob(job);
    const pending = { state: "pending", upstreamId, progress: null };
    expect(await fal.poll(job, upstreamId, buildIo())).toMatchObject({ ...pending, queuePosition: 0 });
    expect(await fal.poll(job, upstreamId, buildIo())).toMatchObject({ ...pending, queuePosition: undefined });
    const state = await fal.poll(job, upstreamId, buildIo());
    expect(state).toMatchObject({ usage: { computeSeconds: 1.5 }, upstreamStatus: 200 });
    expect(outputsOf(state).map(({ mediaType }) => mediaType)).toEqual(["image/png"]);
    expect(await readOutput(outputsOf(state)[0]!)).toEqual(PICTURE);
  });

  test.each([
    ["just after the submit", 0, 1],
    ["after 20 seconds", 20, 5],
    ["after an hour", 3_600, 15],
    ["when the clock was set back", -3_600, 1],
  ])("%s is asked for again in seconds", async (_, ageSeconds, pollAfterSeconds) => {
    const job = newJob();
    const io = { ...buildIo(), now: () => new Date(job.openedAt.getTime() + ageSeconds * 1000) };
    expect(await fal.poll(job, await submitJob(job), io)).toMatchObject({ pollAfterSeconds });
  });

  test("that only its callback has named is found by its endpoint", async () => {
    const job = newJob();
    const { request_id } = JSON.parse(await submitJob(job)) as { request_id: string };
    const upstreamId = JSON.stringify({ request_id });
    expect(await fal.poll(job, upstreamId, buildIo())).toMatchObject({ state: "pending", upstreamId });
    await fal.cancel(job, upstreamId, buildIo());
    expect(double.jobs.get(request_id)).toMatchObject({ isCanceled: true });
  });

  test("is canceled, also when it has ended or is unknown", async () => {
    const job = newJob();
    const upstreamId = await submitJob(job);
    expect(await fal.cancel(job, upstreamId, buildIo())).toBe("asked");
    expect(await fal.poll(job, upstreamId, buildIo())).toMatchObject({ state: "failed", stopped: "unknown" });
    expect(await fal.cancel(job, upstreamId, buildIo())).toBe("asked");
    expect(await fal.cancel(job, JSON.stringify({ request_id: "unknown" }), buildIo())).toBe("stopped");
    const wrongKey = { ...job, route: { ...job.route, provider: { ...job.route.provider, apiKey: "wrong" } } };
    expect(await fal.cancel(wrongKey, upstreamId, buildIo())).toBe("refused");
  });
});

describe("outputs", () => {
  const readTypes = async (body: unknown) => outputsOf(await endJob(succeeds(body))).map(({ mediaType }) => mediaType);

  test("are the files of a result, in its order and once each", async () => {
    const video = { url: fileUrl("clip.mp4"), content_type: "video/mp4", file_size: 10 };
    const audio = { url: fileUrl("voice.mp3"), file_name: "voice.mp3", content_type: null };
    expect(
      await readTypes({
        video,
        thumbnails: [picture(), { a: picture() }],
        audio,
        docs: { url: "https://fal.ai/docs" },
      }),
    ).toEqual(["video/mp4", "image/png", null]);
  });

  test("may have nothing but an address at fal's hosts", async () => {
    expect(await readTypes({ video: { url: fileUrl("clip.mp4") }, docs: { url: "https://fal.ai/docs" } })).toEqual([
      null,
    ]);
  });

  test("are none for a result without files", async () => {
    expect(await readTypes({ seed: 1, docs: { url: "https://fal.ai/docs" } })).toEqual([]);
  });

  test("are a JSON document for a result that is a text", async () => {
    const result = { text: "Hello.", chunks: [{ timestamp: [0, 1.5], text: "Hello." }] };
    const [output] = outputsOf(await endJob(succeeds(result)));
    expect(output!.mediaType).toBe("application/json");
    expect(JSON.parse((await readOutput(output!)).toString())).toEqual(result);
  });

  test("are a document of every word of a long recording", async () => {
    const chunks = Array.from({ length: 30_000 }, (_, n) => ({ timestamp: [n, n + 1], text: "word" }));
    expect(await readTypes({ text: "Hello.", chunks })).toEqual(["application/json"]);
  });

  test("are lost with a result that is too large, which is asked for once", async () => {
    const tooLarge = succeeds({ text: "x".repeat(9 * 1024 ** 2) });
    expect(await endJob(tooLarge)).toMatchObject({ started: "yes", cause: "job", error: { code: "invalid_output" } });
  });

  test("leave out pictures that the safety checker has blacked out", async () => {
    const images = [picture("a.png"), picture()];
    const state = await endJob(succeeds({ images, has_nsfw_concepts: [true, false] }));
    expect(await Promise.all(outputsOf(state).map(readOutput))).toEqual([PICTURE]);
  });

  test.each<[string, () => object]>([
    ["pictures", () => ({ images: [picture(), picture()], has_nsfw_concepts: [true, true] })],
    ["picture", () => ({ image: picture(), has_nsfw_concepts: true })],
  ])("whose every %s is blacked out are a refusal", async (_, buildResult) => {
    const refused = { state: "failed", started: "yes", cause: "job", error: { code: "content_refused" } };
    expect(await endJob(succeeds(buildResult()))).toMatchObject(refused);
    // Without the checker, the flag is only advice, and the picture is there.
    const unchecked = newJob({ enable_safety_checker: false });
    expect(outputsOf(await endJob(succeeds(buildResult()), unchecked))).toHaveLength(1);
  });

  test.each(["http://169.254.169.254/latest", "http://fal.media/a.png", "https://fal.media.evil.example/a.png"])(
    "at %s are not downloaded",
    async (url) => {
      const [output] = outputsOf(await endJob(succeeds({ image: { url, content_type: "image/png" } })));
      await expect(readOutput(output!)).rejects.toMatchObject({ failure: { code: "invalid_output" } });
    },
  );

  test("that redirect to a private address are not followed", async () => {
    double.files.set("/files/redirect.png", { status: 302, headers: { location: "http://127.0.0.1:9/" }, body: {} });
    const [output] = outputsOf(await endJob(succeeds({ image: picture("redirect.png") })));
    await expect(readOutput(output!)).rejects.toMatchObject({ failure: { code: "invalid_output", retryable: false } });
  });

  test("that have expired cannot be read any more", async () => {
    const [output] = outputsOf(await endJob(succeeds({ image: picture("gone.png") })));
    await expect(readOutput(output!)).rejects.toMatchObject({ failure: { code: "invalid_output", retryable: true } });
  });

  test("of another type than named show it", async () => {
    double.files.set("/files/page.png", { status: 200, body: Buffer.from("<html>Sign in</html>") });
    const [output] = outputsOf(await endJob(succeeds({ image: picture("page.png") })));
    await output!.read(async (content) => {
      expect(outputType(await inspectContent(content), output!.mediaType)).toBeNull();
    });
  });

  test("at fal's hosts that cannot be stored fail with the error of the storage", async () => {
    const fetch = createSafeFetch({ allowHosts: [new URL(double.url).host] });
    // The double is in the place of fal's host, without TLS.
    const fetchFile: SafeFetch = (url, request) =>
      fetch(url.replace("https://v3.fal.media", double.url), { ...request, schemes: ["http:"] });
    const file = { url: "https://v3.fal.media/files/picture.png" };
    const state = await endJob(succeeds({ image: file }), newJob(), { ...buildIo(), fetch: fetchFile });
    const full = new StorageUnavailable("The storage is full.");
    await expect(outputsOf(state)[0]!.read(() => Promise.reject(full))).rejects.toBe(full);
    expect(await readOutput(outputsOf(state)[0]!)).toEqual(PICTURE);
  });

  test("of any size are read piece by piece, no further than they are wanted", async () => {
    let sent = 0;
    const sendForever = async function* () {
      for (; sent < 2 * 1024 ** 3; sent += 65_536) yield Buffer.alloc(65_536);
    };
    double.files.set("/files/huge.png", { status: 200, body: sendForever() });
    const [output] = outputsOf(await endJob(succeeds({ image: picture("huge.png") })));
    const stop = new Error("enough");
    const reading = output!.read(async (content) => {
      let size = 0;
      for await (const chunk of content) if ((size += chunk.length) > 1024 ** 2) throw stop;
    });
    await expect(reading).rejects.toBe(stop);
    expect(sent).toBeLessThan(64 * 1024 ** 2);
  });
});

describe("a failure", () => {
  const failed = { state: "failed", started: "yes" };

  test.each<[string, FalEnd, Record<string, unknown>]>([
    [
      "of a rejected input",
      {
        result: {
          status: 422,
          body: describeInvalid("image_url", "image_too_large", "too large: https://a.example/b"),
        },
      },
      {
        cause: "job",
        upstreamStatus: 422,
        error: {
          code: "provider_refused",
          message: "The provider rejected the input: image_url: too large: […].",
          retryable: false,
        },
      },
    ],
    [
      "that may not happen again",
      {
        result: {
          status: 422,
          headers: { "x-fal-retryable": "true" },
          body: describeInvalid("body", "no_media_generated"),
        },
      },
      { cause: "job", error: { code: "provider_refused", retryable: true } },
    ],
    [
      "of refused content",
      { result: { status: 422, body: describeInvalid("prompt", "content_policy_violation") } },
      { cause: "job", error: { code: "content_refused", retryable: false } },
    ],
    [
      "in fal's old form",
      { error: "Invalid status code: 422", result: { status: 422, body: { detail: "Prompt must be non-empty" } } },
      { cause: "job", error: { message: "The provider rejected the input: Prompt must be non-empty." } },
    ],
    [
      "of a runner",
      { errorType: "runner_disconnected", result: { status: 503, body: describeOutage(503, "runner_disconnected") } },
      {
        cause: "outage",
        upstreamStatus: 503,
        costUsd: 0n,
        error: { code: "provider_error", message: "The provider failed (runner_disconnected).", retryable: true },
      },
    ],
    [
      "of a runner, named in a header",
      {
        result: {
          status: 500,
          headers: { "x-fal-error-type": "runner_server_error", "x-fal-needs-retry": "0" },
          body: {},
        },
      },
      { cause: "outage", error: { message: "The provider failed (runner_server_error).", retryable: false } },
    ],
    [
      "of a model on the server's side",
      { result: { status: 500, body: describeInvalid("body", "internal_server_error") } },
      { cause: "outage", costUsd: 0n, error: { message: "The provider failed (internal_server_error)." } },
    ],
    [
      "whose details have expired",
      {
        errorType: "request_timeout",
        error: "Request timed out",
        result: { status: 404, body: { detail: "Not found" } },
      },
      { cause: "outage", upstreamStatus: undefined, error: { message: "The provider failed (request_timeout)." } },
    ],
    [
      "with a result that is no error",
      { error: "boom", result: { status: 200, body: {} } },
      { cause: "outage", error: { code: "provider_error", message: "The provider failed." } },
    ],
  ])("%s is final", async (_, end, state) => {
    const result = await endJob(end);
    expect(result).toMatchObject({ ...failed, ...state });
    expect(
      JSON.stringify(result, (_name, value: unknown) => (typeof value === "bigint" ? String(value) : value)),
    ).not.toMatch(/SECRET|test-key|a\.example/);
  });
});

describe("an unreadable response", () => {
  test.each<[string, FalEnd]>([
    ["401", { result: { status: 401, body: { detail: "Invalid key" } } }],
    ["403 of a failed job", { errorType: "internal_error", result: { status: 403, body: { detail: "Locked" } } }],
    ["404 of an expired result", { result: { status: 404, body: { detail: "Request not found" } } }],
    ["400 before a result is there", { result: { status: 400, body: { detail: "Request is still in progress" } } }],
    ["429", { result: { status: 429, body: describeInvalid("body", "concurrent_requests_limit") } }],
    ["502 of a proxy", { result: { status: 502, body: Buffer.from("<html>nginx</html>") } }],
    ["a page instead of JSON", { result: { status: 200, body: Buffer.from("<html>nginx</html>") } }],
  ])("leaves the job pending, and nothing is submitted again: %s", async (_, end) => {
    const job = newJob();
    const upstreamId = await submitJob(job, end);
    const accepted = double.accepted.length;
    await fal.poll(job, upstreamId, buildIo());
    await fal.poll(job, upstreamId, buildIo());
    await expect(fal.poll(job, upstreamId, buildIo())).rejects.toThrow(ApiError);
    expect(double.accepted).toHaveLength(accepted);
    // Its result may be readable later.
    double.jobs.get((JSON.parse(upstreamId) as { request_id: string }).request_id)!.end = succeeds({
      image: picture(),
    });
    expect(await fal.poll(job, upstreamId, buildIo())).toMatchObject({ state: "succeeded" });
  });

  test.each(["FAILED", "CANCELED"])(
    "of the state %s, which fal does not have, leaves the job pending",
    async (state) => {
      await expect(endJob({ ...succeeds({ image: picture() }), state })).rejects.toThrow(ApiError);
    },
  );
});
