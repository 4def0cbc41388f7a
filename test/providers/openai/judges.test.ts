import { Ajv2020 } from "ajv/dist/2020.js";
import OpenAI, { toFile } from "openai";
import { afterAll, describe, expect, test } from "vitest";
import { buildWav, drawPicture, speechContents } from "./contents";
import { KEY, openOpenaiDouble, TRANSCRIPT } from "./double";
import { responseSchemas } from "./schemas";

// OpenAI's own client drives the double, and the double's responses are what OpenAI's reference describes.
const double = await openOpenaiDouble();
afterAll(() => double.close());
const client = new OpenAI({ baseURL: double.baseUrl, apiKey: KEY, maxRetries: 0 });
const picture = await drawPicture("png");
const pictureFile = (name = "a.png", type = "image/png") => toFile(picture, name, { type });

const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false });
function expectValid(name: keyof typeof responseSchemas, value: unknown) {
  const validate = ajv.compile(responseSchemas[name]);
  expect(validate(value) ? [] : validate.errors).toEqual([]);
}

describe("OpenAI's client", () => {
  test("generates pictures", async () => {
    const images = await client.images.generate({
      model: "gpt-image-2.5-flare",
      prompt: "a lighthouse",
      n: 2,
      output_format: "webp",
    });
    expectValid("images", structuredClone(images));
    expect(images.data!.map(({ b64_json }) => Buffer.from(b64_json!, "base64").toString("latin1", 8, 12))).toEqual([
      "WEBP",
      "WEBP",
    ]);
    expect(images.usage!.total_tokens).toBe(150);
  });

  test("edits one picture, and several with a mask", async () => {
    const request = { model: "gpt-image-2.5-flare", prompt: "add a boat" };
    expectValid("images", structuredClone(await client.images.edit({ ...request, image: await pictureFile() })));
    const image = [await pictureFile("a.png"), await pictureFile("b.png")];
    const images = await client.images.edit({ ...request, image, mask: await pictureFile("mask.png"), n: 2 });
    expectValid("images", structuredClone(images));
    expect(double.inputs.at(-1)).toMatchObject({ n: "2", image: [{ name: "a.png" }, { name: "b.png" }] });
  });

  test.each(Object.entries(speechContents))("speaks %s", async (format, { content, mediaType }) => {
    const speech = await client.audio.speech.create({
      model: "gpt-4o-mini-tts",
      input: "hello",
      voice: "alloy",
      response_format: format as "mp3",
    });
    expect(speech.headers.get("content-type")).toBe(mediaType);
    expect(Buffer.from(await speech.arrayBuffer()).equals(content)).toBe(true);
  });

  test("transcribes", async () => {
    const file = () => toFile(buildWav(), "a.wav", { type: "audio/wav" });
    const request = { model: "gpt-transcribe", timestamp_granularities: ["word" as const] };
    const json = await client.audio.transcriptions.create({ ...request, file: await file() });
    expectValid("transcription", structuredClone(json));
    expect(json.text).toBe(TRANSCRIPT);
    const vtt = await client.audio.transcriptions.create({ ...request, file: await file(), response_format: "vtt" });
    expect(vtt).toContain("WEBVTT");
  });

  test("lists models", async () => {
    const { data, object } = await client.models.list();
    expectValid("models", structuredClone({ object, data }));
    expect(data.length).toBeGreaterThan(3);
  });
});

describe("the double rejects", () => {
  const draw = (change: Record<string, unknown>) =>
    client.images.generate({ model: "gpt-image-2.5-flare", prompt: "x", ...change } as OpenAI.ImageGenerateParams);

  test.each<[string, Record<string, unknown>, number, string]>([
    ["ten pictures too many", { n: 20 }, 400, "invalid_value"],
    ["an unknown quality", { quality: "ultra" }, 400, "invalid_value"],
    ["the response format of older models", { response_format: "b64_json" }, 400, "invalid_value"],
    ["a picture to edit", { image: [] }, 400, "invalid_value"],
    ["an unknown model", { model: "dall-e-3" }, 404, "model_not_found"],
    ["what its safety rules forbid", { prompt: "[unsafe]" }, 400, "moderation_blocked"],
  ])("%s", async (_case, change, status, code) => {
    const error = (await draw(change).catch((thrown: unknown) => thrown)) as InstanceType<typeof OpenAI.APIError>;
    expect([error.status, error.code]).toEqual([status, code]);
    expectValid("error", { error: error.error });
  });

  test("a file without the name and type of its content, and a wrong key", async () => {
    const edit = async (name: string, type: string) =>
      client.images.edit({ model: "gpt-image-2.5-flare", prompt: "x", image: await pictureFile(name, type) });
    await expect(edit("blob", "image/png")).rejects.toMatchObject({ status: 400 });
    await expect(edit("a.jpg", "image/jpeg")).rejects.toMatchObject({ status: 400, code: "unsupported_file" });
    const stranger = new OpenAI({ baseURL: double.baseUrl, apiKey: "sk-wrong", maxRetries: 0 });
    await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: "invalid_api_key" });
  });
});
