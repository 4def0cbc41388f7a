import { deflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeInput } from "./read-prefill";
import { encodeInput, MAX_LINK_INPUT_LENGTH } from "./encode-input";

const pack = (json: string) => deflateRawSync(json).toString("base64url");

test.each([{ prompt: "ein Leuchtturm im Nebel – 灯台 🌊", seed: 7, image_input: ["sha256:0"] }, { prompt: "x" }])(
  "%j survives a link",
  async (input) => {
    const text = (await encodeInput(input))!;
    expect(text).toMatch(/^[\w-]+$/);
    expect(decodeInput(text)).toEqual(input);
  },
);

test("an input that is too long for a link has none", async () => {
  const random = Array.from({ length: MAX_LINK_INPUT_LENGTH }, (_, n) => Math.sin(n).toString(36)).join("");
  expect(await encodeInput({ prompt: random })).toBeNull();
});

test.each([
  null,
  "",
  "!!!",
  pack("[1]"),
  pack("null"),
  pack('{"a":'),
  pack(`{"a":${"[".repeat(40)}${"]".repeat(40)}}`),
  // A small text that inflates to 8 MiB.
  pack(JSON.stringify({ prompt: "x".repeat(8 * 1024 ** 2) })),
  "A".repeat(MAX_LINK_INPUT_LENGTH + 1),
])("%.20s fills nothing", (text) => {
  expect(decodeInput(text)).toEqual({});
});
