import type { Failure } from "../../../providers/failure";
import type { InspectedContent } from "../../content";

/** Media types that no first bytes show, and that are therefore taken from the provider. */
const DECLARED_TYPES =
  /^(application\/(json|octet-stream|zip|x-tar|gzip)|text\/(plain|vtt|srt)|image\/svg\+xml|audio\/(pcm|l16|aac|opus|basic)|model\/[\w.+-]+)$/;
const MARKUP = /^\s*(<!doctype html|<html|<head|<body)/i;

/**
 * Returns the media type of a provider's output: what its content shows, otherwise what the provider says if that is
 * plausible. Null for an empty content, a web page, and one that is not what the provider says.
 */
export function outputType({ head, type }: InspectedContent, declared: string | null): string | null {
  if (type !== null) return type;
  if (head.length === 0 || MARKUP.test(head.toString("latin1", 0, 256))) return null;
  const [essence = ""] = (declared ?? "").toLowerCase().split(";");
  return DECLARED_TYPES.test(essence.trim()) ? essence.trim() : null;
}

export const unusableOutput: Failure = {
  code: "invalid_output",
  message: "The provider's output is not what it should be.",
  retryable: true,
};
