import { expect, test } from "vitest";
import { readCount, readRatio } from "./expected-output";

test.each<[number | null, Record<string, unknown>]>([
  [16 / 9, { aspect_ratio: "16:9" }],
  [0.5, { size: "512x1024" }],
  [1.5, { width: 1536, height: 1024 }],
  [2, { aspect_ratio: "auto", size: "2048 × 1024" }],
  [null, { aspect_ratio: "0:9" }],
  [null, { size: "large", width: 512 }],
  [null, { aspect_ratio: 1, size: ["512x512"] }],
  [null, {}],
])("reads the ratio %s from %o", (ratio, input) => {
  expect(readRatio(input)).toBe(ratio);
});

test.each<[number, Record<string, unknown>]>([
  [4, { n: 4 }],
  [2, { num_images: "2" }],
  [3, { num_outputs: 3 }],
  [1, { n: 0 }],
  [1, { n: 1_000_000 }],
  [1, { n: [4, 5] }],
  [1, {}],
])("expects %s outputs of %o", (count, input) => {
  expect(readCount(input)).toBe(count);
});
