import { z } from "zod";
import { failAfterStart, refuseContent, unreadableResponse } from "../http/describe-rejection";
import { decodeBase64 } from "../http/data-uri";
import type { JobState, ProviderUsage } from "../job";

const partSchema = z
  .object({
    inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional().catch(undefined),
    thought: z.boolean().optional().catch(undefined),
  })
  .catch({});

const responseSchema = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({ parts: z.array(partSchema).catch([]) })
          .catch({ parts: [] })
          .default({ parts: [] }),
        finishReason: z.string().optional().catch(undefined),
      }),
    )
    .catch([])
    .default([]),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional().catch(undefined),
  usageMetadata: z
    .object({ totalTokenCount: z.number().optional(), promptTokenCount: z.number().optional() })
    .optional()
    .catch(undefined),
});

type UsageMetadata = z.output<typeof responseSchema>["usageMetadata"];

/** Why a candidate was withheld for what it shows. The model's other reasons to stop say nothing about safety. */
const REFUSALS = new Set([
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "IMAGE_SAFETY",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
]);

/**
 * Returns the tokens used, where everything that is not the prompt counts as output, as it is billed: thoughts, too. A
 * response that counts no tokens for its picture, as one of a proxy may, reports nothing.
 */
function readTokens({ totalTokenCount: total, promptTokenCount: input }: UsageMetadata = {}): ProviderUsage {
  const isReported = total !== undefined && input !== undefined && total > input;
  return isReported ? { tokens: { input, output: total - input } } : {};
}

/** Returns the state of a successful response, which need not contain a picture. Throws ProviderError. */
export function readResponse(body: unknown): JobState {
  const parsed = responseSchema.safeParse(body);
  if (!parsed.success) return unreadableResponse(200);
  const { candidates, promptFeedback, usageMetadata } = parsed.data;
  const parts = candidates.flatMap(({ content }) => content.parts);
  // Drafts of a thinking model are pictures too.
  const pictures = parts.flatMap(({ inlineData, thought }) =>
    !thought && inlineData?.mimeType.startsWith("image/") ? [inlineData] : [],
  );
  if (pictures.length > 0)
    return {
      state: "succeeded",
      upstreamStatus: 200,
      usage: readTokens(usageMetadata),
      outputs: pictures.map(({ mimeType, data }) => decodeBase64(data, mimeType)),
    };
  // A blocked prompt may have been read for money.
  if (promptFeedback?.blockReason) return refuseContent(usageMetadata?.totalTokenCount ? "yes" : "no", 200);
  if (candidates.some(({ finishReason }) => REFUSALS.has(finishReason ?? ""))) return refuseContent("yes", 200);
  return failAfterStart("invalid_output", "The provider returned no picture.", { upstreamStatus: 200 });
}
