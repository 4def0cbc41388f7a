import { splitBetas } from "./reject-unpriced";

/** Headers that Anthropic gets as the client has sent them. */
const FORWARDED = ["anthropic-version"];

/** Returns the headers of a request that a provider of Messages gets, and the betas that cost extra, which it does not get. */
export function forwardHeaders(headers: Headers): { forwarded: Record<string, string>; droppedBetas: string[] } {
  const { passed, dropped } = splitBetas(headers.get("anthropic-beta"));
  const forwarded: Record<string, string> = {};
  for (const name of FORWARDED) {
    const value = headers.get(name);
    if (value !== null) forwarded[name] = value;
  }
  if (passed.length > 0) forwarded["anthropic-beta"] = passed.join(",");
  return { forwarded, droppedBetas: dropped };
}
