import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { readOutput } from "../../../test/providers/job";
import { ProviderError } from "../provider-error";
import { decodeBase64, decodeDataUri } from "./data-uri";

const content = randomBytes(2_000_003);
const base64 = content.toString("base64");
const inLines = (width: number, end: string) => base64.replace(new RegExp(`.{${width}}`, "g"), `$&${end}`);

test.each([
  ["one line", base64],
  ["lines of 76 characters", inLines(76, "\r\n")],
  ["lines that no group of four characters ends with", inLines(61, "\n")],
  ["the alphabet of URLs", content.toString("base64url")],
  ["an end of its own", `${base64}\n`],
])("decodes base64 in %s, however often it is read", async (_case, text) => {
  const output = decodeBase64(text, "image/png");
  expect((await readOutput(output)).equals(content)).toBe(true);
  expect((await readOutput(output)).equals(content)).toBe(true);
});

test("decodes a data URI with its media type", async () => {
  const output = decodeDataUri(`data:audio/wav;base64,${base64}`);
  expect(output.mediaType).toBe("audio/wav");
  expect((await readOutput(output)).equals(content)).toBe(true);
});

test.each(["", "{}", "<html></html>", `${base64}<`])("rejects what is not base64: %.10s", (text) => {
  expect(() => decodeBase64(text, null)).toThrow(ProviderError);
});
