import { afterAll, beforeAll, expect, test } from "vitest";
import { runAudit } from "../../../server/domain/audit/audit";
import { usdToEur } from "../../../server/domain/pricing/route-cost";
import { parseDecimal } from "../../../server/lib/money";
import { insertFile } from "../../insert-file";
import { openDocumentedHub } from "../documented-hub";
import type { SubmitFault } from "../double";
import { PNG } from "../outputs";
import { type GeminiDouble, type GeminiScript, openGemini, picturePart } from "./double";

let double: GeminiDouble;
let documented: Awaited<ReturnType<typeof openDocumentedHub>>;
beforeAll(async () => {
  double = await openGemini();
  documented = await openDocumentedHub("docs/providers/gemini.md", "GEMINI_API_KEY", double.baseUrl);
});
afterAll(() => double.close());

const brokenPart = { inlineData: { mimeType: "image/png", data: "AAAA" } };

test.each<[string, GeminiScript, code: string | null, outcome: string]>([
  ["a picture is charged at its price", {}, null, "succeeded"],
  ["several pictures are one charge", { parts: [picturePart, picturePart] }, null, "succeeded"],
  ["a withheld picture is free", { parts: [], finishReason: "IMAGE_SAFETY" }, "content_refused", "failed"],
  ["a blocked prompt is free", { blockReason: "SAFETY", promptTokens: 0 }, "content_refused", "refused"],
  ["a text is no picture", { parts: [{ text: "No." }] }, "invalid_output", "failed"],
  ["bytes that are no picture are not delivered", { parts: [brokenPart] }, "invalid_output", "failed"],
])("%s", async (_, script, code, outcome) => {
  const accepted = double.accepted.length;
  double.scriptNextResponses(script);
  const ended = await documented.runGeneration({ prompt: "a tree" });
  const price = usdToEur(documented.hub, parseDecimal("0.04"));
  expect(ended).toMatchObject({ code, billed_cost: code ? 0n : price, attempts: [{ outcome }] });
  expect(double.accepted).toHaveLength(accepted + 1);
});

test.each<SubmitFault>(["reset after", "504 after", "half of the JSON"])(
  "a submit with %s is not repeated",
  async (fault) => {
    const accepted = double.accepted.length;
    double.failNextSubmits(fault);
    const ended = await documented.runGeneration({ prompt: "a tree" });
    expect(ended).toMatchObject({ code: "provider_error", billed_cost: 0n, attempts: [{ outcome: "lost" }] });
    expect(double.accepted).toHaveLength(accepted + 1);
  },
);

test("pictures of the customer reach the maker, and the result the customer", async () => {
  const { hub, account, runGeneration } = documented;
  const image = `${hub.env.BASE_URL}/api/v1/hub/files/${await insertFile(hub, account, PNG)}`;
  const { id } = await runGeneration({ prompt: "a tree", image_input: [image, image] });
  expect(double.accepted.at(-1)!.json).toMatchObject({
    contents: [{ parts: [{ text: "a tree" }, picturePart, picturePart] }],
    generationConfig: { imageConfig: { aspectRatio: "1:1", imageSize: "1K" } },
  });
  const files = await hub.db.query("SELECT media_type, size FROM file WHERE generation_id = $1", [id]);
  expect(files).toEqual([{ media_type: "image/png", size: BigInt(PNG.length) }]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
