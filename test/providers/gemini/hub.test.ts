import { afterAll, beforeAll, expect, test } from "vitest";
import { usdToEur } from "../../../server/domain/pricing/route-cost";
import { parseDecimal } from "../../../server/lib/money";
import { markBuffer } from "../../media/mark";
import { openDocumentedHub } from "../documented-hub";
import { findViolations, type ProviderHub } from "../generation-run";
import { PNG } from "../outputs";
import { type GeminiDouble, type GeminiScript, openGeminiDouble, picturePart } from "./double";

let double: GeminiDouble;
let documented: ProviderHub;
beforeAll(async () => {
  double = await openGeminiDouble();
  documented = await openDocumentedHub("docs/providers/gemini.md", double.baseUrl);
});
afterAll(() => double.close());

const run = (input: Record<string, unknown> = {}) => documented.run("nano-banana", { prompt: "a tree", ...input });

const brokenPart = { inlineData: { mimeType: "image/png", data: "AAAA" } };

test.each<[string, GeminiScript, code: string | undefined, outcome: string]>([
  ["a picture is charged at its price", {}, undefined, "succeeded"],
  ["several pictures are one charge", { parts: [picturePart, picturePart] }, undefined, "succeeded"],
  ["a withheld picture is free", { parts: [], finishReason: "IMAGE_SAFETY" }, "content_refused", "failed"],
  ["a blocked prompt is free", { blockReason: "SAFETY", promptTokens: 0 }, "content_refused", "refused"],
  ["a text is no picture", { parts: [{ text: "No." }] }, "invalid_output", "failed"],
  ["bytes that are no picture are not delivered", { parts: [brokenPart] }, "invalid_output", "failed"],
])("%s", async (_, script, code, outcome) => {
  const accepted = double.accepted.length;
  double.scriptNextResponses(script);
  const end = await run();
  const price = usdToEur(documented.hub, parseDecimal("0.04"));
  expect(end.error?.code).toBe(code);
  expect(end).toMatchObject({ billed: code ? 0n : price, attempts: [{ outcome }] });
  expect(double.accepted).toHaveLength(accepted + 1);
});

test("pictures of the customer reach the maker, and the result the customer", async () => {
  const image = `${double.url}/files/input.png`;
  const { outputs } = await run({ image_input: [image, image] });
  expect(double.accepted.at(-1)!.json).toMatchObject({
    contents: [{ parts: [{ text: "a tree" }, picturePart, picturePart] }],
    generationConfig: { imageConfig: { aspectRatio: "1:1", imageSize: "1K" } },
  });
  const { content } = await markBuffer(PNG, "image/png", { model: "nano-banana" });
  expect(outputs).toEqual([{ media_type: "image/png", size: BigInt(content.length) }]);
});

test("the audit finds no violation", async () => {
  expect(await findViolations(documented)).toEqual([]);
});
