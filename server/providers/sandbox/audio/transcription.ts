import { createHash } from "node:crypto";
import { z } from "zod";
import { type JobState, outputOf } from "../../job";
import type { ProviderIo } from "../../provider";
import { transcriptionFormats } from "./models";
import { readWav } from "./wav";

const Input = z.object({ file: z.string(), response_format: z.enum(transcriptionFormats).default("json") });

type Format = (typeof transcriptionFormats)[number];

/** Returns the text that a recording of the sandbox carries, else a description of the recording. Throws InputUnavailable. */
export async function transcribe(sent: Record<string, unknown>, io: ProviderIo): Promise<JobState> {
  const { file, response_format } = Input.parse(sent);
  const bytes = await io.read(file);
  const wav = readWav(bytes);
  const text = wav?.comment ?? `A recording of ${bytes.length} bytes, ${hashOf(bytes)}.`;
  const seconds = wav && wav.seconds > 0 ? wav.seconds : 1;
  const [content, mediaType] = writeText(response_format, text, seconds);
  return { state: "succeeded", outputs: [outputOf(Buffer.from(content), mediaType)], usage: { seconds } };
}

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex").slice(0, 8);

function writeText(format: Format, text: string, seconds: number): [content: string, mediaType: string] {
  const [from, to] = [formatTime(0), formatTime(seconds)];
  switch (format) {
    case "text":
      return [`${text}\n`, "text/plain"];
    case "srt":
      return [`1\n${from.replace(".", ",")} --> ${to.replace(".", ",")}\n${text}\n`, "text/plain"];
    case "vtt":
      return [`WEBVTT\n\n${from} --> ${to}\n${text}\n`, "text/vtt"];
    case "verbose_json": {
      const segments = [{ id: 0, start: 0, end: seconds, text }];
      return [
        JSON.stringify({ task: "transcribe", language: "english", duration: seconds, text, segments }),
        "application/json",
      ];
    }
    case "json":
      return [JSON.stringify({ text }), "application/json"];
  }
}

const formatTime = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString().slice(11, 23);
