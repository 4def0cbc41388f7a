import { z } from "zod";
import { JsonScanner } from "../../lib/json/scanner";
import { type ApiResponse, parseJson } from "../http/call-api";
import { redactProvider } from "../http/redact";
import { type Job, type JobState, outputOf } from "../job";
import type { ProviderIo } from "../provider";
import { buildForm } from "./build-form";
import type { Endpoint } from "./endpoint";

/** Transcribes a recording. */
export const transcriptions: Endpoint = {
  path: "/audio/transcriptions",
  maxBytes: 16 * 1024 * 1024,
  // The response may be plain text instead of JSON.
  isFile: true,
  buildBody: async ({ input, upstreamModel }, io) => ({
    form: await buildForm({ ...input, model: upstreamModel }, ["file"], io),
  }),
  readResponse,
};

/** The formats other than JSON. */
const textTypes: Record<string, string> = { text: "text/plain", srt: "text/plain", vtt: "text/vtt" };

/** Enough for every word of a long recording with its time. */
const BOUNDS = { maxDepth: 64, maxValues: 200_000 };

const Seconds = z.coerce.number().positive().max(1_000_000).optional().catch(undefined);
const Transcription = z.object({
  text: z.string(),
  usage: z.object({ seconds: Seconds }).nullish().catch(undefined),
  /** In the format `verbose_json`. */
  duration: Seconds,
});

async function readResponse({ bytes }: ApiResponse, { input, route }: Job, io: ProviderIo): Promise<JobState | null> {
  const text = redactProvider(new TextDecoder().decode(bytes), route.provider) as string;
  const body = new JsonScanner(BOUNDS).push(bytes) ? undefined : await parseJson(io.json, bytes);
  const { success: isJson, data } = Transcription.safeParse(body);
  const mediaType = isJson ? "application/json" : textTypes[input.response_format as string];
  // JSON that is not a transcription is an error.
  if (!mediaType || (!isJson && typeof body === "object")) return null;
  return {
    state: "succeeded",
    outputs: [outputOf(Buffer.from(text), mediaType)],
    usage: { seconds: data?.usage?.seconds ?? data?.duration },
    upstreamStatus: 200,
  };
}

/** Synthesizes speech. */
export const speech: Endpoint = {
  path: "/audio/speech",
  maxBytes: 64 * 1024 * 1024,
  isFile: true,
  buildBody: ({ input, upstreamModel }) => ({ json: { ...input, model: upstreamModel } }),
  readResponse: readSpeech,
};

const mediaTypes: Record<string, string> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

function readSpeech({ headers, bytes }: ApiResponse, { input }: Job): JobState | null {
  const declared = headers["content-type"] ?? "";
  // An error, or events although none were asked for.
  if (bytes.length === 0 || /^text\/|[/+](json|xml)\b/.test(declared)) return null;
  const { response_format: format = "mp3" } = input;
  const mediaType = declared.startsWith("audio/") ? declared : (mediaTypes[format as string] ?? null);
  return { state: "succeeded", outputs: [outputOf(bytes, mediaType)], upstreamStatus: 200 };
}
