import type { ProviderSettings } from "../../catalogue/model";
import { downloadOutput } from "../http/download";
import type { ProviderOutput } from "../job";
import { outputOf } from "../output-of";
import type { ProviderIo } from "../provider";
import { cogApi } from "./api";

/**
 * Returns the outputs of a prediction: the files anywhere in its value, otherwise one text, or one JSON document. None
 * for an empty value. Throws ProviderError for a file that the hub must not download or cannot decode.
 */
export function readOutputs(provider: ProviderSettings, io: ProviderIo, value: unknown): ProviderOutput[] {
  const files = findFiles(value);
  if (files.length > 0) return files.map((file) => downloadOutput(cogApi, provider, io, file));
  // A model that yields its text piece by piece returns a list of the pieces.
  const pieces = Array.isArray(value) ? value : [value];
  if (pieces.every((piece) => typeof piece === "string")) {
    const text = pieces.join("");
    return text === "" ? [] : [outputOf(Buffer.from(text), "text/plain")];
  }
  return value === null || value === undefined
    ? []
    : [outputOf(Buffer.from(JSON.stringify(value)), "application/json")];
}

const FILE = /^(data:[\w.+-]+\/[\w.+-]+[;,]|https?:\/\/\S+$)/;

function findFiles(value: unknown): string[] {
  if (typeof value === "string") return FILE.test(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(findFiles) : [];
}
