import type { Prediction } from "replicate";
import type { DoubleResponse } from "../double";

/** How a prediction ends. */
export interface Outcome {
  status: Prediction["status"];
  output?: unknown;
  error?: string;
  /** Whether its data is gone already, as an hour after the end. */
  isExpired?: boolean;
}

/** Eight pixels square. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAMAAADz0U65AAAAA1BMVEUzqncb3tbvAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQImWNgoA4AAABIAAF7pRHIAAAAAElFTkSuQmCC",
  "base64",
);
const succeed = (output: unknown): Outcome => ({ status: "succeeded", output });
const fail = (error: string): Outcome => ({ status: "failed", error });

/** All outcomes of a prediction, by name; `files` is the URL of the folder with its output files. */
export const outcomes = {
  picture: (files: string) => succeed(`${files}/picture.png`),
  "two pictures": (files: string) => succeed([`${files}/picture.png`, `${files}/picture.png?n=2`]),
  "files by name": (files: string) =>
    succeed({ video: `${files}/picture.png`, drawing: `${files}/drawing.svg`, fps: 24 }),
  "inline picture": () => succeed([`data:image/png;base64,${PICTURE.toString("base64")}`]),
  "large inline picture": () => succeed(`data:image/png;base64,${Buffer.concat([PICTURE, LARGE]).toString("base64")}`),
  text: () => succeed("A cat on a mat. See https://example.com/cat.png"),
  json: () => succeed({ label: "cat", scores: [0.9, 0.1] }),
  "text in pieces": () => succeed(["A cat", " on a", " mat."]),
  "too many values": () => succeed(Array(60_000).fill(0)),
  nothing: () => succeed(null),
  expired: (): Outcome => ({ ...succeed(null), isExpired: true }),
  "file gone": (files: string) => succeed(`${files}/gone.png`),
  "moved file": (files: string) => succeed(`${files}/moved.png`),
  "redirect to a private address": (files: string) => succeed(`${files}/private.png`),
  "large file": (files: string) => succeed(`${files}/large.png`),
  "huge file": (files: string) => succeed(`${files}/huge.png`),
  "wrong media type": (files: string) => succeed(`${files}/page.png`),
  "broken data URI": () => succeed("data:image/png;base64,***"),
  "nsfw error": () => fail("NSFW content detected. Try running it again, or try a different prompt."),
  "sensitive error": () =>
    fail("ModelError: The input or output was flagged as sensitive. Please try again with different inputs. (E005)"),
  "interrupted error": () => fail("Prediction interrupted; please retry (code: PA)"),
  "director error": () => fail("Director: unexpected error handling prediction (E6716)"),
  "model error": () =>
    fail("Prompt is too long. See http://10.1.2.3/logs, key r8_0123456789012345678901234567890123456789"),
  "error without a text": (): Outcome => ({ status: "failed" }),
  canceled: (): Outcome => ({ status: "canceled" }),
  aborted: (): Outcome => ({ status: "aborted" }),
} satisfies Record<string, (files: string) => Outcome>;
export type OutcomeName = keyof typeof outcomes;

const LARGE = Buffer.alloc(2 * 1024 * 1024);
const LARGE_BYTES = 50 * 1024 ** 2;
const HUGE_BYTES = 2 * 1024 ** 3;

/** Returns the response of `replicate.delivery` for a file. */
export function deliver(file: string): DoubleResponse {
  const picture = { status: 200, headers: { "content-type": "image/png" } };
  switch (file) {
    case "picture.png":
      return { ...picture, body: PICTURE };
    case "drawing.svg":
      return { ...picture, body: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"/>`) };
    case "page.png":
      return { ...picture, body: Buffer.from("<!doctype html><title>Sign in</title>") };
    case "moved.png":
      return { status: 302, headers: { location: "picture.png" } };
    case "private.png":
      return { status: 302, headers: { location: "http://10.0.0.1/latest/meta-data" } };
    case "large.png":
      return deliverBytes(LARGE_BYTES);
    case "huge.png":
      return deliverBytes(HUGE_BYTES);
    default:
      return { status: 404, body: { detail: "Not found." } };
  }
}

const deliverBytes = (bytes: number): DoubleResponse => ({
  status: 200,
  headers: { "content-type": "image/png", "content-length": String(bytes) },
  body: padPicture(bytes),
});

async function* padPicture(bytes: number): AsyncGenerator<Uint8Array> {
  yield PICTURE;
  for (let sent = PICTURE.length; sent < bytes; sent += LARGE.length)
    yield LARGE.subarray(0, Math.min(LARGE.length, bytes - sent));
}
