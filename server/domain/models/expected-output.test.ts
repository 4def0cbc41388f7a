import { expect, test } from "vitest";
import { readRatio } from "./expected-output";

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
