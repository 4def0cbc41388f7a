import { expect, test } from "vitest";
import { measureLongestTurnAgain } from "../../../test/longest-turn";
import { describeContent } from "./inspect-content";
import { typeByMagicBytes } from "./magic-bytes";

const MAX_TURN_MS = 50;
const SAFETENSORS = "application/x-safetensors";
const latin1 = (text: string) => Buffer.from(text, "latin1");

/** Returns a safetensors file with this header. */
function safetensors(header: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([length, Buffer.from(header)]);
}

const tensor = '{"dtype":"F32","shape":[1],"data_offsets":[0,4]}';
const manyTensors = (count: number) => `{${Array.from({ length: count }, (_, n) => `"layer.${n}":${tensor}`).join()}}`;

test("a safetensors header of any length is recognized by the first 4 KiB", () => {
  for (const count of [1, 50, 1_000, 50_000])
    expect(typeByMagicBytes(safetensors(manyTensors(count)))).toBe(SAFETENSORS);
  const cut = manyTensors(1_000).slice(0, -1);
  expect(typeByMagicBytes(safetensors(cut))).toBe(SAFETENSORS);
  expect(typeByMagicBytes(safetensors(manyTensors(50).slice(0, -1)))).toBeNull();
});

test("a header as long as the file takes short turns", async () => {
  const file = safetensors(manyTensors(300_000));
  expect(file.length).toBeGreaterThan(16 * 1024 * 1024);
  let type = "";
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, () => {
    type = describeContent(file).mediaType;
    return Promise.resolve();
  });
  expect(type).toBe(SAFETENSORS);
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
});
