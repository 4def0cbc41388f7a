import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type SubmitFault, submitFaults } from "../../../test/providers/double";
import { buildWav, drawPicture } from "../../../test/providers/openai/contents";
import { openOpenaiDouble } from "../../../test/providers/openai/double";
import { buildIo, buildJob, buildProvider } from "../../../test/providers/job";
import type { FailedJob, Modalities } from "../provider";
import { openai } from "./openai";

const double = await openOpenaiDouble();
afterAll(() => double.close());
afterEach(() => void (double.requests.length = double.accepted.length = 0));

const provider = buildProvider("openai", double.baseUrl);
const files = { "https://files.example/a.png": await drawPicture("png"), "https://files.example/a.wav": buildWav() };
const [PICTURE, RECORDING] = Object.keys(files);

interface Work {
  model: string;
  input: Record<string, unknown>;
  modalities: Modalities;
}

const works: Record<string, Work> = {
  generations: {
    ...{ model: "gpt-image-2.5-flare", input: { prompt: "a lighthouse" } },
    modalities: { input: ["text"], output: ["image"] },
  },
  edits: {
    ...{ model: "gpt-image-2.5-flare", input: { prompt: "a lighthouse", image: [PICTURE] } },
    modalities: { input: ["text", "image"], output: ["image"] },
  },
  speech: {
    ...{ model: "gpt-4o-mini-tts", input: { input: "hello", voice: "alloy" } },
    modalities: { input: ["text"], output: ["audio"] },
  },
  transcriptions: {
    ...{ model: "gpt-transcribe", input: { file: RECORDING } },
    modalities: { input: ["audio"], output: ["text"] },
  },
};

type Expected = Pick<FailedJob, "started" | "cause"> & { code: string; retryable: boolean };
const rejected: Expected = { started: "no", cause: "job", code: "provider_refused", retryable: false };
const wrongAccount: Expected = { started: "no", cause: "account", code: "provider_refused", retryable: true };
const full: Expected = { started: "no", cause: "capacity", code: "provider_refused", retryable: true };
const unknown: Expected = { started: "unknown", cause: "outage", code: "provider_error", retryable: true };
const unreadable: Expected = { ...unknown, code: "invalid_output" };

const expected: Record<Exclude<SubmitFault, "no response">, Expected> = {
  "400": rejected,
  "401": wrongAccount,
  "402": wrongAccount,
  "404": wrongAccount,
  "422": rejected,
  "429": full,
  "429 with Retry-After": full,
  "503": full,
  "500 before": unknown,
  "502 before": unknown,
  "504 before": unknown,
  "500 after": unknown,
  "502 after": unknown,
  "504 after": unknown,
  "reset before": unknown,
  "reset after": unknown,
  "reset within the response": unknown,
  garbage: unreadable,
  "half of the JSON": unreadable,
};
/** Only the content shows what is wrong with these, which the hub inspects when it stores it. */
const unseen = ["garbage", "half of the JSON"];

describe.each(Object.entries(works))("%s", (name, { model, input, modalities }) => {
  const submit = (io = buildIo(files)) => openai.submit!(buildJob(provider, model, input, { modalities }), io);
  const faults = submitFaults.filter((fault) => fault !== "no response");

  test.each(faults.filter((fault) => name !== "speech" || !unseen.includes(fault)))(
    "after %s tells whether it was begun, and sends nothing again",
    async (fault) => {
      double.failNextSubmits(fault);
      const state = (await submit()) as FailedJob;
      const { started, cause, error } = state;
      expect({ started, cause, code: error.code, retryable: error.retryable }).toEqual(expected[fault]);
      expect(state.retryAfter).toBe(fault === "429 with Retry-After" ? 1 : undefined);
      expect(JSON.stringify(state)).not.toMatch(/127\.0\.0\.1|test-key|nginx/);
      expect(double.requests.length).toBe(1);
      // What was taken on is never told to have not begun.
      if (double.accepted.length > 0) expect(started).not.toBe("no");
    },
  );

  test("without a response ends with the reason of the signal", async () => {
    const controller = new AbortController();
    double.failNextSubmits("no response");
    const submitted = submit(buildIo(files, controller.signal));
    await expect.poll(() => double.accepted.length).toBe(1);
    controller.abort(new Error("the deadline"));
    await expect(submitted).rejects.toThrow("the deadline");
    expect(double.requests.length).toBe(1);
  });

  test("is not begun when the provider cannot be reached", async () => {
    const gone = await openOpenaiDouble();
    await gone.close();
    const job = buildJob(buildProvider("openai", gone.baseUrl), model, input, { modalities });
    expect(await openai.submit!(job, buildIo(files))).toMatchObject({ started: "no", cause: "outage" });
  });
});
