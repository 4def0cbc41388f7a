import { expect, test } from "vitest";
import { findLargerInput } from "./larger-input";

const larger = (name: string, values: unknown[], input: Record<string, unknown>, byDefault?: unknown) =>
  findLargerInput({ properties: { [name]: { enum: values, default: byDefault } } }, input);
const sizes = ["1024x1024", "1536x1024", "3072x2048", "2048x2048"];

test.each([
  ["resolution", ["1k", "2k", "4k"], { prompt: "a mug" }, "1k", { prompt: "a mug", resolution: "2k" }],
  ["resolution", ["4K", "1K", "2K"], { resolution: "1K" }, "2K", { resolution: "2K" }],
  ["resolution", ["480p", "1080p", "720p"], { resolution: "480p" }, undefined, { resolution: "720p" }],
  ["size", sizes, {}, "1024x1024", { size: "2048x2048" }],
  ["size", sizes, { size: "1536x1024" }, undefined, { size: "3072x2048" }],
  ["resolution", ["1k", "2k"], { resolution: "2k" }, "1k", null],
  ["size", ["1024x1024", "1536x1024"], {}, "1024x1024", null],
  ["size", ["small", "large"], { size: "small" }, undefined, null],
  ["resolution", ["1k", "2k"], {}, undefined, null],
  ["quality", ["1k", "2k"], { quality: "1k" }, undefined, null],
])("%s of %j: %j with %j leads to %j", (name, values, input, byDefault, expected) => {
  expect(larger(name, values, input, byDefault)).toEqual(expected);
});
