import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawPicture } from "../../../test/providers/openai/contents";
import { type Flavour, type OpenaiDouble, openOpenaiDouble } from "../../../test/providers/openai/double";
import { buildIo, buildJob, buildProvider, readOutput } from "../../../test/providers/job";
import type { JobState } from "../job";
import { openai } from "./openai";

const doubles = {} as Record<Flavour, OpenaiDouble>;
const flavours: Flavour[] = ["openai", "localai", "vllm-omni"];
beforeAll(async () => {
  for (const flavour of flavours) doubles[flavour] = await openOpenaiDouble({ flavour });
});
afterAll(() => Promise.all(flavours.map((flavour) => doubles[flavour].close())));

const picture = await drawPicture("png");
const files = { "https://files.example/a.png": picture, "https://files.example/b.png": await drawPicture("webp") };
const urls = Object.keys(files);

const draw = (flavour: Flavour, input: Record<string, unknown>) => {
  const provider = buildProvider("openai", doubles[flavour].baseUrl);
  return openai.submit!(
    buildJob(provider, "gpt-image-2.5-flare", { prompt: "a lighthouse", ...input }),
    buildIo(files),
  );
};

/** Returns the formats of a success' pictures by their content, and the media types that the provider named. */
async function readPictures(state: JobState) {
  if (state.state !== "succeeded") throw new Error(JSON.stringify(state));
  const contents = await Promise.all(state.outputs.map(readOutput));
  const formats = await Promise.all(contents.map(async (content) => (await sharp(content).metadata()).format));
  return { formats, mediaTypes: state.outputs.map(({ mediaType }) => mediaType) };
}

describe("generations", () => {
  test("sends the input with the model's name and nothing else, and reads the pictures", async () => {
    const state = await draw("openai", { n: 2, output_format: "webp", image: [] });
    expect(await readPictures(state)).toEqual({ formats: ["webp", "webp"], mediaTypes: ["image/webp", "image/webp"] });
    expect(doubles.openai.inputs.at(-1)).toEqual({
      model: "gpt-image-2.5-flare",
      prompt: "a lighthouse",
      n: 2,
      output_format: "webp",
    });
    expect(doubles.openai.requests.at(-1)!.url.pathname).toBe("/v1/images/generations");
    expect(state).toMatchObject({ usage: { tokens: { input: 50, output: 100 } } });
  });

  test("reads the pictures of a response with 201", async () => {
    doubles.localai.respondNext({ status: 201, body: { data: [{ b64_json: picture.toString("base64") }] } });
    expect((await readPictures(await draw("localai", {}))).formats).toEqual(["png"]);
  });

  test("reads URLs of the server itself without the key, and base64 when the route asks for it", async () => {
    const before = doubles.localai.accepted.length;
    expect((await readPictures(await draw("localai", { n: 2, step: 20 }))).formats).toEqual(["png", "png"]);
    expect(doubles.localai.requests.slice(-2).map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
    ]);
    expect((await readPictures(await draw("localai", { response_format: "b64_json" }))).formats).toEqual(["png"]);
    expect(doubles.localai.accepted.length).toBe(before + 2);
  });

  test("reads a relative URL from the server's origin", async () => {
    doubles.localai.respondNext({ status: 200, body: { data: [{ url: "/generated-images/7.png" }] } });
    expect((await readPictures(await draw("localai", {}))).formats).toEqual(["png"]);
  });

  test("reads base64 beside members that are null, and with broken lines", async () => {
    expect((await readPictures(await draw("vllm-omni", { num_inference_steps: 8 }))).formats).toEqual(["png"]);
    const b64_json = picture.toString("base64").replace(/.{76}/g, "$&\n");
    const dataUri = `data:image/png;base64,${picture.toString("base64")}`;
    doubles["vllm-omni"].respondNext({ status: 200, body: { data: [{ b64_json, url: null }, { b64_json: dataUri }] } });
    expect((await readPictures(await draw("vllm-omni", {}))).formats).toEqual(["png", "png"]);
  });
});

describe("edits", () => {
  test("sends the pictures as files with names and types", async () => {
    const state = await draw("openai", { image: urls, mask: urls[0], n: 2, size: "1024x1024" });
    expect((await readPictures(state)).formats).toEqual(["png", "png"]);
    expect(doubles.openai.inputs.at(-1)).toEqual({
      model: "gpt-image-2.5-flare",
      prompt: "a lighthouse",
      n: "2",
      size: "1024x1024",
      image: [
        { name: "input.png", type: "image/png" },
        { name: "input.webp", type: "image/webp" },
      ],
      mask: { name: "input.png", type: "image/png" },
    });
    expect(doubles.openai.requests.at(-1)!.body.includes(picture)).toBe(true);
  });

  test("sends a single picture under the plain name", async () => {
    expect((await readPictures(await draw("openai", { image: urls[0] }))).formats).toEqual(["png"]);
    expect(doubles.openai.inputs.at(-1)!.image).toEqual({ name: "input.png", type: "image/png" });
  });

  test("throws before anything is sent when a picture is unavailable", async () => {
    const before = doubles.openai.requests.length;
    await expect(draw("openai", { image: ["https://files.example/gone.png"] })).rejects.toThrow("has no file");
    expect(doubles.openai.requests.length).toBe(before);
  });
});

describe("a response without usable pictures", () => {
  const failure = (started: string, code: string) => ({ state: "failed", started, error: { code } });

  test.each<[string, unknown, ReturnType<typeof failure>]>([
    ["no picture", { data: [] }, failure("yes", "invalid_output")],
    ["a picture that is neither", { data: [{ url: null, b64_json: "" }] }, failure("yes", "invalid_output")],
    ["no data", { data: null }, failure("yes", "invalid_output")],
    ["no base64", { data: [{ b64_json: "<html>" }] }, failure("yes", "invalid_output")],
    ["a private address", { data: [{ url: "http://127.0.0.1:9/x.png" }] }, failure("yes", "invalid_output")],
    ["an address without TLS", { data: [{ url: "http://files.example/x.png" }] }, failure("yes", "invalid_output")],
    ["a list", [], failure("unknown", "invalid_output")],
    ["texts in place of pictures", { data: ["x"] }, failure("unknown", "invalid_output")],
  ])("fails: %s", async (_case, body, expected) => {
    doubles.openai.respondNext({ status: 200, body });
    expect(await draw("openai", {})).toMatchObject(expected);
  });

  test("fails: a web page, and an image of unknown length beyond 64 MiB", async () => {
    doubles.openai.respondNext({ status: 200, headers: { "content-type": "text/html" }, body: Buffer.from("<html>") });
    expect(await draw("openai", {})).toMatchObject(failure("unknown", "invalid_output"));
    doubles.openai.respondNext({ status: 200, body: endlessBase64() });
    expect(await draw("openai", {})).toMatchObject({
      ...failure("unknown", "provider_error"),
      error: { message: "The provider's response is too large." },
    });
  });

  test("fails: a private address on another https host, when the picture is stored", async () => {
    doubles.openai.respondNext({ status: 200, body: { data: [{ url: "https://127.0.0.1:9/x.png" }] } });
    const state = await draw("openai", {});
    if (state.state !== "succeeded") throw new Error("was refused too early");
    await expect(readOutput(state.outputs[0]!)).rejects.toMatchObject({ failure: { code: "invalid_output" } });
  });
});

async function* endlessBase64() {
  yield Buffer.from('{"data":[{"b64_json":"');
  for (;;) yield Buffer.alloc(2 ** 20, "A");
}

describe("a rejection", () => {
  test.each(["moderation_blocked", "content_policy_violation", "content_filter"])(
    "by safety rules: %s",
    async (code) => {
      doubles.openai.respondNext({ status: 400, body: { error: { message: "No.", code } } });
      expect(await draw("openai", {})).toMatchObject({
        state: "failed",
        started: "no",
        cause: "job",
        upstreamStatus: 400,
        error: { code: "content_refused", retryable: false },
      });
    },
  );

  test.each([
    [429, "insufficient_quota"],
    [400, "billing_hard_limit_reached"],
  ])("because the credit is used up: %i %s", async (status, code) => {
    doubles.openai.respondNext({
      status,
      headers: { "retry-after": "60" },
      body: { error: { message: "You exceeded your quota.", code } },
    });
    const state = await draw("openai", {});
    expect(state).toMatchObject({ state: "failed", started: "no", cause: "account", upstreamStatus: status });
    expect(state).not.toMatchObject({ retryAfter: 60 });
    expect(JSON.stringify(state)).not.toContain("quota");
  });

  test.each([
    ["seconds", () => "90"],
    ["a date", () => new Date(Date.now() + 90_000).toUTCString()],
  ])("because of too many requests says in %s when to come again", async (_form, format) => {
    doubles.openai.respondNext({ status: 429, headers: { "retry-after": format() }, body: {} });
    const { retryAfter } = (await draw("openai", {})) as { retryAfter: number };
    // A date has no fractions of a second, and the request takes a moment.
    expect(retryAfter).toBeGreaterThan(60);
    expect(retryAfter).toBeLessThanOrEqual(90);
  });

  test.each<[string, unknown]>([
    ["OpenAI", { error: { message: "Invalid size.", type: "x", param: "size", code: "invalid_value" } }],
    ["LocalAI", { error: { message: "Invalid size.", code: 400, type: "" } }],
    ["vLLM", { object: "error", message: "Invalid size.", code: 400 }],
    ["FastAPI", { detail: "Invalid size." }],
    ["a plain server", { error: "Invalid size." }],
  ])("of the input is explained in the words of %s", async (_maker, body) => {
    doubles.openai.respondNext({ status: 400, body });
    expect(await draw("openai", {})).toMatchObject({
      started: "no",
      cause: "job",
      error: { message: "The provider rejected the input: Invalid size.", retryable: false },
    });
  });

  test("by a redirect is not followed", async () => {
    const before = doubles.localai.requests.length;
    doubles.openai.respondNext({ status: 307, headers: { location: `${doubles.localai.baseUrl}/images/generations` } });
    expect(await draw("openai", {})).toMatchObject({ state: "failed", started: "no", upstreamStatus: 307 });
    expect(doubles.localai.requests.length).toBe(before);
  });

  test("of a model for which there is no endpoint sends nothing", async () => {
    const before = doubles.openai.requests.length;
    const job = buildJob(
      buildProvider("openai", doubles.openai.baseUrl),
      "x",
      {},
      {
        modalities: { input: ["text"], output: ["video"] },
      },
    );
    expect(await openai.submit!(job, buildIo())).toMatchObject({ state: "failed", started: "no", cause: "account" });
    expect(doubles.openai.requests.length).toBe(before);
  });
});
