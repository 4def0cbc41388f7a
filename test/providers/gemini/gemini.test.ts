import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ProviderSettings } from "../../../server/catalogue/model";
import { gemini } from "../../../server/providers/gemini/gemini";
import { ProviderError } from "../../../server/providers/provider-error";
import type { JobState } from "../../../server/providers/job";
import { buildIo, buildJob, buildProvider, readOutput } from "../job";
import { endlessBytes, PNG } from "../outputs";
import { testSubmitFaults } from "../submit-faults";
import { type GeminiDouble, type GeminiScript, openGeminiDouble, picturePart } from "./double";

const MODEL = "gemini-nano-banana-2.1";

let double: GeminiDouble;
beforeAll(async () => {
  double = await openGeminiDouble();
});
afterAll(() => double.close());

const buildGeminiJob = (input: Record<string, unknown> = {}, settings: Partial<ProviderSettings> = {}, model = MODEL) =>
  buildJob({ ...buildProvider("gemini", double.baseUrl), ...settings }, model, { prompt: "a tree", ...input });

/** Returns the state of a submit with this response. */
async function submitFor(script: GeminiScript, job = buildGeminiJob(), io = buildIo()): Promise<JobState> {
  double.scriptNextResponses(script);
  return gemini.submit(job, io);
}

const dataUri = (mediaType: string, content: string) =>
  `data:${mediaType};base64,${Buffer.from(content).toString("base64")}`;

describe("a picture", () => {
  test("is drawn and decoded", async () => {
    const state = await submitFor({});
    expect(state).toMatchObject({ state: "succeeded", upstreamStatus: 200, outputs: [{ mediaType: "image/png" }] });
    expect(state).toMatchObject({ usage: { tokens: { input: 10, output: 1120 } } });
    expect(await readOutput((state as Extract<JobState, { state: "succeeded" }>).outputs[0]!)).toEqual(PNG);
  });

  test.each([
    ["all of several", [picturePart, picturePart], 2],
    ["no draft", [{ ...picturePart, thought: true }, { text: "Done." }, picturePart], 1],
    ["no other file", [picturePart, { inlineData: { mimeType: "audio/wav", data: "AAAA" } }], 1],
  ])("means %s", async (_, parts, outputs) => {
    const state = await submitFor({ parts });
    expect(state.state === "succeeded" && state.outputs).toHaveLength(outputs);
  });

  test.each([
    ["no prompt feedback", { body: { candidates: [{ content: { parts: [picturePart] } }] } }],
    ["unknown members", { body: { candidates: [{ content: { parts: [picturePart, { novel: 1 }, 7] } }], novel: [] } }],
    [
      "zeros, as a proxy that counts nothing writes them,",
      {
        body: {
          candidates: [{ content: { parts: [picturePart] } }],
          usageMetadata: { promptTokenCount: 0, totalTokenCount: 0 },
        },
      },
    ],
  ])("is found in a response with %s and has no usage then", async (_, script) => {
    const state = await submitFor(script);
    expect(state).toMatchObject({ state: "succeeded" });
    expect(state).not.toHaveProperty("usage.tokens");
  });
});

describe("a request", () => {
  const build = async (input: Record<string, unknown>) => {
    await gemini.submit(buildJob(buildProvider("gemini", double.baseUrl), MODEL, input), buildIo());
    return double.accepted.at(-1)!.json;
  };

  test("has the prompt, the pictures and the settings where Google wants them", async () => {
    const input = {
      text: "a tree",
      aspect_ratio: "16:9",
      resolution: "2k",
      temperature: 0.5,
      seed: 7,
      image_input: [dataUri("image/png", "one"), dataUri("image/jpeg", "two")],
      mask: dataUri("image/webp", "three"),
    };
    expect(await build(input)).toEqual({
      contents: [
        {
          role: "user",
          parts: [
            { text: "a tree" },
            { inlineData: { mimeType: "image/png", data: "b25l" } },
            { inlineData: { mimeType: "image/jpeg", data: "dHdv" } },
            { inlineData: { mimeType: "image/webp", data: "dGhyZWU=" } },
          ],
        },
      ],
      generationConfig: {
        responseModalities: ["IMAGE"],
        temperature: 0.5,
        seed: 7,
        imageConfig: { aspectRatio: "16:9", imageSize: "2K" },
      },
    });
  });

  test("has nothing for what is empty, and what the route sets", async () => {
    const input = {
      prompt: "a tree",
      image_input: [],
      seed: null,
      image_size: "4K",
      responseModalities: ["TEXT", "IMAGE"],
    };
    expect(await build(input)).toMatchObject({
      contents: [{ parts: [{ text: "a tree" }] }],
      generationConfig: { responseModalities: ["TEXT", "IMAGE"], imageConfig: { imageSize: "4K" } },
    });
    expect(await build({ prompt: "data:text/plain;base64,AAAA" })).toMatchObject({
      contents: [{ parts: [{ text: "data:text/plain;base64,AAAA" }] }],
      generationConfig: { responseModalities: ["IMAGE"] },
    });
  });
});

describe("a response without a picture", () => {
  const refused = { code: "content_refused", retryable: false };
  const unusable = { code: "invalid_output", retryable: true };
  const none = { parts: [] };

  test.each<[string, GeminiScript, string, object]>([
    ...["IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION", "PROHIBITED_CONTENT", "SAFETY", "SPII"].map(
      (finishReason) =>
        [finishReason, { ...none, finishReason }, "yes", refused] as [string, GeminiScript, string, object],
    ),
    ["a blocked prompt", { blockReason: "PROHIBITED_CONTENT" }, "yes", refused],
    ["a blocked prompt that is not billed", { blockReason: "OTHER", promptTokens: 0 }, "no", refused],
    ["a text", { parts: [{ text: "I would rather not." }] }, "yes", unusable],
    ["NO_IMAGE", { ...none, finishReason: "NO_IMAGE" }, "yes", unusable],
    ["MAX_TOKENS", { ...none, finishReason: "MAX_TOKENS" }, "yes", unusable],
    ["only a draft", { parts: [{ ...picturePart, thought: true }] }, "yes", unusable],
    ["another file", { parts: [{ inlineData: { mimeType: "text/html", data: "AAAA" } }] }, "yes", unusable],
    ["no candidate", { body: {} }, "yes", unusable],
  ])("for %s", async (_, script, started, error) => {
    expect(await submitFor(script)).toMatchObject({
      state: "failed",
      started,
      cause: "job",
      error,
      upstreamStatus: 200,
    });
  });

  test("that is not base64 cannot be used", async () => {
    const body = { candidates: [{ content: { parts: [{ inlineData: { mimeType: "image/png", data: "<html>" } }] } }] };
    await expect(submitFor({ body })).rejects.toThrow(ProviderError);
  });

  test.each([
    ["a list", []],
    ["no JSON", Buffer.from("oops")],
  ])("but %s may have been work", async (_, body) => {
    expect(await submitFor({ body })).toMatchObject({ state: "failed", started: "unknown", cause: "outage" });
  });
});

describe("a response", () => {
  /** Returns an io that records for how many bytes a response reserves memory. */
  function openCountingIo() {
    const reserved: number[] = [];
    return { reserved, io: { ...buildIo(), reserveMemory: async (bytes: number) => void reserved.push(bytes) } };
  }

  test("reserves memory while it arrives, to 64 MiB at most", async () => {
    const { reserved, io } = openCountingIo();
    expect(await submitFor({ body: endlessBytes() }, buildGeminiJob(), io)).toMatchObject({
      state: "failed",
      started: "unknown",
      error: { message: "The provider's response is too large." },
    });
    const total = reserved.reduce((sum, bytes) => sum + bytes, 0);
    expect(total).toBeGreaterThan(63 * 2 ** 20);
    expect(total).toBeLessThanOrEqual(64 * 2 ** 20);
  });

  test("that is an error reserves nothing", async () => {
    const { reserved, io } = openCountingIo();
    double.failNextSubmits("503");
    expect(await gemini.submit(buildGeminiJob(), io)).toMatchObject({ state: "failed", cause: "capacity" });
    expect(reserved).toEqual([]);
  });

  test("that waits for memory ends with its run", async () => {
    const controller = new AbortController();
    const io = buildIo({}, controller.signal);
    const reserveMemory = () => {
      controller.abort(new Error("the claim was lost"));
      return Promise.reject(controller.signal.reason as Error);
    };
    await expect(submitFor({}, buildGeminiJob(), { ...io, reserveMemory })).rejects.toThrow("claim was lost");
  });
});

testSubmitFaults(() => ({ provider: gemini, job: buildGeminiJob(), double }), {
  different: { "429": { retryAfter: 18 } },
});

describe("a submit that is rejected", () => {
  test("names the parameter to the customer", async () => {
    expect(await gemini.submit(buildGeminiJob({ aspect_ratio: "wide" }), buildIo())).toMatchObject({
      state: "failed",
      started: "no",
      cause: "job",
      upstreamStatus: 400,
      error: {
        message: expect.stringContaining("generationConfig.imageConfig.aspectRatio") as string,
        retryable: false,
      },
    });
  });

  test.each<[string, Partial<ProviderSettings>, string, number]>([
    ["another key", { apiKey: "another-key-0123456789" }, MODEL, 400],
    ["no key", { apiKey: null }, MODEL, 403],
    ["an unknown model", {}, "gemini-1", 404],
  ])("for %s is the operator's", async (_, settings, model, upstreamStatus) => {
    const state = await gemini.submit(buildGeminiJob({}, settings, model), buildIo());
    expect(state).toMatchObject({ started: "no", cause: "account", upstreamStatus });
    expect(JSON.stringify(state)).not.toMatch(/key/i);
  });
});

describe("a check", () => {
  const check = (settings: Partial<ProviderSettings> = {}, model = MODEL) =>
    gemini.check(buildGeminiJob({}, settings, model).route, buildIo());

  test("of key and model is free of charge", async () => {
    const accepted = double.accepted.length;
    expect(await check()).toBeNull();
    expect(await check({ apiKey: "another-key-0123456789" })).toBe("The provider rejects the key.");
    expect(await check({}, "gemini-1")).toBe("The provider does not have the model.");
    expect(double.accepted).toHaveLength(accepted);
  });
});
