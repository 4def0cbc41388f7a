import type { ApiResponse } from "../http/call-api";
import type { Job, JobState } from "../job";
import { outputOf } from "../output-of";
import type { Endpoint } from "./endpoint";

/** Speaks a text. */
export const speech: Endpoint = {
  path: "/audio/speech",
  maxBytes: 64 * 1024 * 1024,
  isFile: true,
  buildBody: ({ input, upstreamModel }) => ({ json: { ...input, model: upstreamModel } }),
  readResponse,
};

const mediaTypes: Record<string, string> = {
  mp3: "audio/mpeg",
  opus: "audio/ogg",
  aac: "audio/aac",
  flac: "audio/flac",
  wav: "audio/wav",
  pcm: "audio/pcm",
};

function readResponse({ headers, bytes }: ApiResponse, { input }: Job): JobState | null {
  const declared = headers["content-type"] ?? "";
  // An error, or events although none were asked for.
  if (bytes.length === 0 || /^text\/|[/+](json|xml)\b/.test(declared)) return null;
  const { response_format: format = "mp3" } = input;
  const mediaType = declared.startsWith("audio/") ? declared : (mediaTypes[format as string] ?? null);
  return { state: "succeeded", outputs: [outputOf(bytes, mediaType)], upstreamStatus: 200 };
}
