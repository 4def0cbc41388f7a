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
