import type { DoubleResponse } from "./double";
import { endlessBytes, PNG } from "./outputs";

/** What a double sends for every output that has a URL, or only for the first one. */
export const fileFaults = [
  "403",
  "404",
  "410",
  "500 once",
  "reset within the body once",
  "redirect to a private address",
  "2 GiB",
  "web page",
  "empty",
] as const;
export type FileFault = (typeof fileFaults)[number];

/** What is in every response instead of the base64 of an output. */
export const inlineFaults = ["no base64", "web page inline", "empty inline", "65 MiB inline"] as const;
export type InlineFault = (typeof inlineFaults)[number];

export type OutputFault = FileFault | InlineFault;

const PAGE = Buffer.from("<!doctype html><title>Sign in</title>");
const MIB = 1024 ** 2;
const png = (body: unknown, length: number): DoubleResponse => ({
  status: 200,
  headers: { "content-type": "image/png", "content-length": String(length) },
  body,
});

const fileResponses: Record<FileFault, () => DoubleResponse> = {
  "403": () => ({ status: 403, body: PAGE }),
  "404": () => ({ status: 404, body: PAGE }),
  "410": () => ({ status: 410, body: PAGE }),
  "500 once": () => ({ status: 500, body: PAGE }),
  "reset within the body once": () => png(breakOff(), PNG.length),
  "redirect to a private address": () => ({ status: 302, headers: { location: "http://169.254.169.254/latest" } }),
  "2 GiB": () => png(endlessPicture(), 2 * 1024 * MIB),
  "web page": () => png(PAGE, PAGE.length),
  empty: () => png(Buffer.alloc(0), 0),
};

const inlineContents: Record<Exclude<InlineFault, "65 MiB inline">, string> = {
  "no base64": "***",
  "web page inline": PAGE.toString("base64"),
  "empty inline": "",
};

export const isFileFault = (fault: OutputFault): fault is FileFault => fault in fileResponses;

/** Returns the response to a request for an output. */
export const respondToFile = (fault: FileFault): DoubleResponse => fileResponses[fault]();

/** Returns a response with other contents for the outputs that it has in base64. */
export function replaceInline({ status, body }: DoubleResponse, fault: InlineFault): DoubleResponse {
  const headers = { "content-type": "application/json" };
  const [start = "", ...others] = JSON.stringify(body).split(/(?<=;base64,|"b64_json":"|"data":")[\w+/]+={0,2}/);
  if (fault === "65 MiB inline") return { status, headers, body: withLargeContent(start, others.join("")) };
  return { status, headers, body: Buffer.from([start, ...others].join(inlineContents[fault])) };
}

async function* withLargeContent(start: string, end: string): AsyncGenerator<Buffer> {
  yield Buffer.from(start);
  const chunk = Buffer.alloc(MIB, "A");
  for (let sent = 0; sent < 65; sent += 1) yield chunk;
  yield Buffer.from(end);
}

async function* breakOff(): AsyncGenerator<Buffer> {
  yield PNG.subarray(0, PNG.length / 2);
  throw new Error("the connection breaks");
}

async function* endlessPicture(): AsyncGenerator<Buffer> {
  yield PNG;
  yield* endlessBytes();
}
