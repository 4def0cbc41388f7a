import { createHash } from "node:crypto";
import { z } from "zod";
import { type JobState, outputOf } from "../../job";
import { speechFormats } from "./models";
import { writeWav } from "./wav";

const Input = z.object({
  input: z.string(),
  voice: z.string().default("alloy"),
  response_format: z.enum(speechFormats).default("wav"),
  speed: z.number().default(1),
});

const SAMPLE_RATE = 8_000;
const SECONDS_PER_WORD = 0.3;
const MAX_SECONDS = 60;
const AMPLITUDE = 8_000;

/** Speaks a text deterministically: a tone for each word, by the voice. */
export function speakText(sent: Record<string, unknown>): JobState {
  const { input, voice, response_format, speed } = Input.parse(sent);
  const words = input.split(/\s+/).filter(Boolean);
  const seconds = Math.min(MAX_SECONDS, (words.length * SECONDS_PER_WORD) / speed);
  if (response_format === "mp3")
    return { state: "succeeded", outputs: [outputOf(writeSilentMp3(seconds), "audio/mpeg")], usage: { seconds } };
  const samples = drawTones(words, voice, seconds);
  const wav = writeWav(samples, SAMPLE_RATE, input);
  return { state: "succeeded", outputs: [outputOf(wav, "audio/wav")], usage: { seconds } };
}

function drawTones(words: string[], voice: string, seconds: number): Int16Array {
  const samples = new Int16Array(Math.ceil(seconds * SAMPLE_RATE));
  const perWord = Math.max(1, Math.floor(samples.length / Math.max(1, words.length)));
  let frequency = 0;
  for (let at = 0; at < samples.length; at += 1) {
    if (at % perWord === 0) frequency = toFrequency(voice, words[Math.floor(at / perWord)] ?? "");
    const fade = Math.min(1, ((perWord - (at % perWord)) / perWord) * 2);
    samples[at] = Math.round(AMPLITUDE * fade * Math.sin((2 * Math.PI * frequency * at) / SAMPLE_RATE));
  }
  return samples;
}

/** Returns a tone of 150 to 660 Hz. */
const toFrequency = (voice: string, word: string): number =>
  150 + 2 * createHash("sha256").update(`${voice}\n${word}`).digest()[0]!;

// MPEG-1 layer III, 32 kbit/s, 32 kHz, mono: a frame has 144 bytes and 36 ms. Without data it is silent.
const MP3_HEADER = [0xff, 0xfb, 0x18, 0xc0];
const MP3_FRAME_BYTES = 144;
const MP3_FRAME_SECONDS = 0.036;

function writeSilentMp3(seconds: number): Buffer {
  const frames = Math.max(1, Math.ceil(seconds / MP3_FRAME_SECONDS));
  const frame = Buffer.alloc(MP3_FRAME_BYTES);
  frame.set(MP3_HEADER);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}
