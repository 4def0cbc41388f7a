import { refuseContent } from "../http/describe-rejection";
import { downloadOutput } from "../http/download";
import type { Job, JobState, ProviderOutput, ProviderUsage } from "../job";
import { outputOf } from "../output-of";
import type { ProviderIo } from "../provider";
import { queueApi } from "./api";

interface ResultFile {
  url: string;
  content_type?: unknown;
}

/** Members by which a model's files differ from other objects with a URL. */
const fileMembers = ["content_type", "file_name", "file_size", "width"];

/** Returns the success of a job with the files of its result, in their order. Pictures that fal blacked out are left out. */
export function readOutputs(job: Job, io: ProviderIo, result: object, usage: ProviderUsage): JobState {
  const refused = job.input.enable_safety_checker === false ? [] : findRefusedPictures(result);
  const files = findFiles(result).filter((file) => !refused.includes(file));
  if (files.length === 0 && refused.length > 0) return refuseContent("yes", 200);
  const outputs = [...new Map(files.map((file) => [file.url, toOutput(job, io, file)])).values()];
  const text = outputs.length === 0 ? readTextResult(result) : [];
  return { state: "succeeded", outputs: [...outputs, ...text], usage, upstreamStatus: 200 };
}

function findFiles(value: unknown): ResultFile[] {
  if (typeof value !== "object" || value === null) return [];
  return isFile(value) ? [value] : Object.values(value).flatMap(findFiles);
}

const isFile = (value: object): value is ResultFile =>
  "url" in value && typeof value.url === "string" && fileMembers.some((name) => name in value);

/** Returns the pictures that a safety checker has flagged: their content is black. */
function findRefusedPictures(result: {
  images?: unknown;
  image?: unknown;
  video?: unknown;
  has_nsfw_concepts?: unknown;
}): unknown[] {
  const flags = [result.has_nsfw_concepts].flat();
  const pictures = [result.images ?? result.image ?? result.video].flat();
  return pictures.filter((_, index) => flags[index] === true);
}

const toOutput = (job: Job, io: ProviderIo, { url, content_type }: ResultFile): ProviderOutput => {
  const mediaType = typeof content_type === "string" ? content_type : null;
  return {
    mediaType,
    // A URL of another host fails the output when it is read, as an expired one does.
    read: async (store) => downloadOutput(queueApi, job.route.provider, io, url, mediaType).read(store),
  };
};

/** Returns the result of a model without files, such as a transcript with its times, as one JSON output. */
const readTextResult = (result: object): ProviderOutput[] =>
  "text" in result && typeof result.text === "string"
    ? [outputOf(Buffer.from(JSON.stringify(result)), "application/json")]
    : [];
