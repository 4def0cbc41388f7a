import { afterAll, describe, expect, test } from "vitest";
import { buildWav, speechContents } from "../../../test/providers/openai/contents";
import { KEY, openOpenaiDouble, TRANSCRIPT } from "../../../test/providers/openai/double";
import { buildIo, buildJob, buildProvider, readOutput } from "../../../test/providers/job";
import type { JobState } from "../job";
import { openai } from "./openai";

const double = await openOpenaiDouble();
const localai = await openOpenaiDouble({ flavour: "localai" });
const vllm = await openOpenaiDouble({ flavour: "vllm-omni" });
afterAll(() => Promise.all([double, localai, vllm].map((one) => one.close())));

const speak = (input: Record<string, unknown> = {}, on = double) => {
  const job = buildJob(
    buildProvider("openai", on.baseUrl),
    "gpt-4o-mini-tts",
    { input: "hello", voice: "alloy", ...input },
    { modalities: { input: ["text"], output: ["audio"] } },
  );
  return openai.submit!(job, buildIo());
};

const RECORDING = "https://files.example/a.wav";
const transcribe = (input: Record<string, unknown> = {}) => {
  const job = buildJob(
    buildProvider("openai", double.baseUrl),
    "gpt-transcribe",
    { file: RECORDING, ...input },
    {
      modalities: { input: ["audio"], output: ["text"] },
    },
  );
  return openai.submit!(job, buildIo({ [RECORDING]: buildWav(3) }));
};

async function readOne(state: JobState) {
  if (state.state !== "succeeded") throw new Error(JSON.stringify(state));
  expect(state.outputs.length).toBe(1);
  const [output] = state.outputs;
  return { content: await readOutput(output!), mediaType: output!.mediaType, usage: state.usage };
}

const unreadable = { state: "failed", started: "unknown", error: { code: "invalid_output" } };

describe("speech", () => {
  test.each(Object.entries(speechContents))("stores %s as it comes", async (format, { content, mediaType }) => {
    const output = await readOne(await speak({ response_format: format }));
    expect(output.content.equals(content)).toBe(true);
    expect(output.mediaType).toBe(mediaType);
    expect(double.requests.at(-1)!.url.pathname).toBe("/v1/audio/speech");
    expect(double.inputs.at(-1)).toEqual({
      model: "gpt-4o-mini-tts",
      input: "hello",
      voice: "alloy",
      response_format: format,
    });
  });

  test("takes the server's media type over the format, and the format over none", async () => {
    expect((await readOne(await speak({ response_format: "mp3" }, localai))).mediaType).toBe("audio/x-wav");
    expect((await readOne(await speak({ response_format: "pcm" }, vllm))).mediaType).toBe("audio/pcm");
    expect((await readOne(await speak({}, vllm))).mediaType).toBe("audio/mpeg");
  });

  test.each(["application/json", "application/problem+json", "text/html; charset=utf-8", "text/event-stream"])(
    "cannot be read from %s",
    async (type) => {
      double.respondNext({ status: 200, headers: { "content-type": type }, body: Buffer.from("{}") });
      expect(await speak()).toMatchObject(unreadable);
    },
  );

  test("cannot be read from an empty response, or one beyond 64 MiB", async () => {
    const headers = { "content-type": "audio/mpeg" };
    double.respondNext({ status: 200, headers, body: Buffer.alloc(0) });
    expect(await speak()).toMatchObject(unreadable);
    double.respondNext({ status: 200, headers: { ...headers, "content-length": "67108865" }, body: Buffer.alloc(9) });
    expect(await speak()).toMatchObject({ state: "failed", started: "unknown" });
  });
});

describe("transcription", () => {
  test("sends the recording with a name and type, and lists by item", async () => {
    const output = await readOne(await transcribe({ language: "en", timestamp_granularities: ["word", "segment"] }));
    expect(JSON.parse(output.content.toString())).toMatchObject({ text: TRANSCRIPT });
    expect([output.mediaType, output.usage]).toEqual(["application/json", { seconds: 3 }]);
    expect(double.inputs.at(-1)).toEqual({
      model: "gpt-transcribe",
      language: "en",
      timestamp_granularities: ["word", "segment"],
      file: { name: "input.wav", type: "audio/wav" },
    });
    expect(double.requests.at(-1)!.url.pathname).toBe("/v1/audio/transcriptions");
  });

  test.each([
    ["text", "text/plain", undefined],
    ["srt", "text/plain", undefined],
    ["vtt", "text/vtt", undefined],
    ["verbose_json", "application/json", 3.2],
  ])("in the format %s is stored as %s", async (response_format, mediaType, seconds) => {
    const output = await readOne(await transcribe({ response_format }));
    expect(output.content.toString()).toContain(TRANSCRIPT);
    expect([output.mediaType, output.usage!.seconds]).toEqual([mediaType, seconds]);
  });

  test("is JSON if the server sends it although text was asked for", async () => {
    double.respondNext({ status: 200, body: { text: TRANSCRIPT } });
    expect((await readOne(await transcribe({ response_format: "text" }))).mediaType).toBe("application/json");
  });

  test("never contains the key, and has no seconds that make no sense", async () => {
    double.respondNext({ status: 200, body: { text: `Bearer ${KEY}`, usage: { seconds: -4 }, duration: "many" } });
    const output = await readOne(await transcribe());
    expect(output.content.toString()).not.toContain(KEY);
    expect(output.usage).toEqual({ seconds: undefined });
  });

  test.each([
    ["an error", "json", { error: "x" }],
    ["an error in place of text", "vtt", { error: "x" }],
    ["a list", "json", []],
  ])("cannot be read from %s", async (_case, response_format, body) => {
    double.respondNext({ status: 200, body });
    expect(await transcribe({ response_format })).toMatchObject(unreadable);
  });

  test("may hold the time of every word of a long recording", async () => {
    const words = Array.from({ length: 15_000 }, (_, n) => ({ word: `w${n}`, start: n, end: n + 1 }));
    double.respondNext({ status: 200, body: { text: TRANSCRIPT, words } });
    expect(JSON.parse((await readOne(await transcribe())).content.toString())).toEqual({ text: TRANSCRIPT, words });
  });
});
