import { Readable } from "node:stream";
import type { ProviderSettings } from "../../catalogue/model";
import { parseResponseUrl } from "../http/api";
import { downloadOutput, isOutputUrl } from "../http/download";
import type { ProviderOutput } from "../job";
import type { ProviderIo } from "../provider";
import { replicateApi } from "./api";

/** Media types that the content does not show, by the extension of the URL's path. */
const mediaTypes: Record<string, string> = {
  aac: "audio/aac",
  glb: "model/gltf-binary",
  json: "application/json",
  obj: "model/obj",
  srt: "text/srt",
  stl: "model/stl",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  txt: "text/plain",
  vtt: "text/vtt",
  zip: "application/zip",
};

/**
 * Returns the files that a prediction's output names, in the order in which it names them; without any, the output itself
 * as a text or JSON document. Throws ProviderError for a data URI that cannot be read.
 */
export function findOutputs(output: unknown, provider: ProviderSettings, io: ProviderIo): ProviderOutput[] {
  const files = listStrings(output).flatMap((text) => {
    if (/^data:[^,]{0,200};base64,/.test(text)) return [downloadOutput(replicateApi, provider, io, text)];
    const url = /\s/.test(text) ? null : parseResponseUrl(text);
    if (!isOutputUrl(replicateApi, provider, url)) return [];
    const extension = /\.(\w{1,4})$/.exec(url.pathname)?.[1]?.toLowerCase() ?? "";
    return [downloadOutput(replicateApi, provider, io, text, mediaTypes[extension])];
  });
  return files.length > 0 || (output ?? null) === null ? files : [toDocument(output)];
}

/** Returns all strings of a JSON value, in the order of the document. */
function listStrings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listStrings) : [];
}

function toDocument(output: unknown): ProviderOutput {
  const isText = typeof output === "string";
  const content = Buffer.from(isText ? output : JSON.stringify(output));
  return { mediaType: isText ? "text/plain" : "application/json", read: (store) => store(Readable.from([content])) };
}
