import { afterAll, describe } from "vitest";
import { buildWav, drawPicture } from "../../../test/providers/openai/contents";
import { openOpenaiDouble } from "../../../test/providers/openai/double";
import { buildJob, buildProvider } from "../../../test/providers/job";
import { testSubmitFaults } from "../../../test/providers/submit-faults";
import type { Modalities } from "../job";
import { openai } from "./openai";

const double = await openOpenaiDouble();
afterAll(() => double.close());

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
    model: "gpt-image-2.5-flare",
    input: { prompt: "a lighthouse" },
    modalities: { input: ["text"], output: ["image"] },
  },
  edits: {
    model: "gpt-image-2.5-flare",
    input: { prompt: "a lighthouse", image: [PICTURE] },
    modalities: { input: ["text", "image"], output: ["image"] },
  },
  speech: {
    model: "gpt-4o-mini-tts",
    input: { input: "hello", voice: "alloy" },
    modalities: { input: ["text"], output: ["audio"] },
  },
  transcriptions: {
    model: "gpt-transcribe",
    input: { file: RECORDING },
    modalities: { input: ["audio"], output: ["text"] },
  },
};

describe.each(Object.entries(works))("%s", (name, { model, input, modalities }) => {
  const job = () => buildJob(provider, model, input, { modalities });
  // Only the content shows what is wrong with speech, which the hub inspects when it stores it.
  testSubmitFaults(() => ({ provider: openai, job: job(), double, files }), {
    unseen: name === "speech" ? ["garbage", "half of the JSON"] : [],
  });
});
