import { createValidator } from "../schema-validator";

const text = { type: "string" };
const count = { type: "integer", minimum: 0 };
const closed = (properties: Record<string, object>, required: string[] = []) => ({
  type: "object",
  required,
  additionalProperties: false,
  properties,
});
const list = (items: object, minItems = 0) => ({ type: "array", minItems, items });

const blob = closed(
  {
    mimeType: { type: "string", pattern: "^[a-z]+/[\\w.+-]+$" },
    data: { type: "string", pattern: "^[A-Za-z0-9+/]+={0,2}$" },
  },
  ["mimeType", "data"],
);
const file = closed({ mimeType: text, fileUri: text }, ["fileUri"]);
const rating = { type: "object", required: ["category", "probability"] };
const blockReasons = ["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "IMAGE_SAFETY"];
const finishReasons = [
  "STOP",
  "MAX_TOKENS",
  "SAFETY",
  "RECITATION",
  "LANGUAGE",
  "OTHER",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "MALFORMED_FUNCTION_CALL",
  "UNEXPECTED_TOOL_CALL",
  "TOO_MANY_TOOL_CALLS",
  "IMAGE_SAFETY",
  "NO_IMAGE",
  "IMAGE_PROHIBITED_CONTENT",
  "IMAGE_RECITATION",
  "IMAGE_OTHER",
];
const tokens = list({ type: "object", required: ["modality"], properties: { modality: text, tokenCount: count } });
const errorStatuses = [
  "INVALID_ARGUMENT",
  "FAILED_PRECONDITION",
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "UNAVAILABLE",
  "RESOURCE_EXHAUSTED",
  "INTERNAL",
  "DEADLINE_EXCEEDED",
  "UNKNOWN",
];

/** Google's requests and responses (ai.google.dev/api/generate-content). The API rejects members that it does not know. */
export const geminiSchemas = createValidator({
  /** The body of `generateContent`. */
  request: closed(
    {
      contents: list(
        closed({ role: { enum: ["user", "model"] }, parts: list({ $ref: "#/$defs/requestPart" }, 1) }, ["parts"]),
        1,
      ),
      generationConfig: closed({
        responseModalities: list({ enum: ["TEXT", "IMAGE", "AUDIO"] }),
        imageConfig: closed({
          aspectRatio: { type: "string", pattern: "^\\d{1,2}:\\d{1,2}$" },
          imageSize: { enum: ["512", "1K", "2K", "4K"] },
        }),
        temperature: { type: "number", minimum: 0, maximum: 2 },
        topP: { type: "number" },
        topK: { type: "integer" },
        seed: { type: "integer" },
        candidateCount: { type: "integer" },
        maxOutputTokens: { type: "integer" },
        stopSequences: list(text),
      }),
      systemInstruction: { type: "object" },
      safetySettings: list({ type: "object", required: ["category", "threshold"] }),
    },
    ["contents"],
  ),
  requestPart: {
    anyOf: [
      closed({ text }, ["text"]),
      closed({ inlineData: blob }, ["inlineData"]),
      closed({ fileData: file }, ["fileData"]),
    ],
  },
  response: closed(
    {
      candidates: list(
        closed({
          content: closed({ role: { const: "model" }, parts: list({ $ref: "#/$defs/responsePart" }) }),
          finishReason: { enum: finishReasons },
          finishMessage: text,
          safetyRatings: list(rating),
          index: count,
        }),
      ),
      promptFeedback: closed({ blockReason: { enum: blockReasons }, safetyRatings: list(rating) }),
      usageMetadata: closed({
        promptTokenCount: count,
        candidatesTokenCount: count,
        totalTokenCount: count,
        thoughtsTokenCount: count,
        promptTokensDetails: tokens,
        candidatesTokensDetails: tokens,
      }),
      modelVersion: text,
      responseId: text,
    },
    ["usageMetadata", "modelVersion"],
  ),
  responsePart: closed({ text, inlineData: blob, thought: { type: "boolean" }, thoughtSignature: text }),
  model: {
    type: "object",
    required: ["name", "supportedGenerationMethods"],
    properties: { name: { type: "string", pattern: "^models/" }, supportedGenerationMethods: list(text) },
  },
  error: closed(
    {
      error: closed(
        {
          code: { type: "integer" },
          message: text,
          status: { enum: errorStatuses },
          details: list({
            type: "object",
            required: ["@type"],
            properties: { "@type": { pattern: "^type\\.googleapis\\.com/", type: "string" } },
          }),
        },
        ["code", "message", "status"],
      ),
    },
    ["error"],
  ),
});
