import type { SampleRequest } from "./sample-request";
import { type Language, languages } from "./snippets";
import { writeCurl } from "./write-curl";
import { writePython } from "./write-python";
import { writeTypeScript } from "./write-typescript";

const writers: Record<Language, (base: string, request: SampleRequest) => string> = {
  curl: writeCurl,
  typescript: writeTypeScript,
  python: writePython,
};

/** Returns programs that make this request, with the credential from an environment variable. */
export const requestSnippets = (base: string, request: SampleRequest) =>
  languages.map((one) => ({ ...one, code: writers[one.value](base, request) }));

const extensions: Record<string, string> = { image: "png", audio: "mp3", video: "mp4" };

/** Returns programs that upload a file of one of these media with the key in HUB_API_KEY, and print its URL. */
export function uploads(base: string, modalities: string[]) {
  const file = `input.${modalities.map((one) => extensions[one]).find(Boolean) ?? "pdf"}`;
  return requestSnippets(base, {
    method: "POST",
    path: "/api/v1/hub/files",
    headers: {},
    credential: "key",
    body: { kind: "form", file },
    result: { member: "url" },
  });
}
