import { z } from "@hono/zod-openapi";
import { euros, modelId } from "./values";

const item = z.looseObject({ type: z.string().optional(), id: z.string().optional() }).openapi("ResponseItem", {
  description: "A message, a call of a tool, its output, or reasoning",
});
const responseId = z.string().openapi({ example: "resp_019ab0c2d4e87f6a9b3c1d2e4f506172" });

/** What a request for a response may contain; other members are ignored, or passed to providers that have Responses. */
export const OpenAiResponseRequest = z
  .looseObject({
    model: modelId,
    input: z.union([z.string(), z.array(item)]).optional(),
    instructions: z.string().nullish(),
    tools: z.array(z.looseObject({ type: z.string() }).openapi("ResponseTool")).nullish(),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() }).openapi("ResponseToolChoice")]).nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    max_output_tokens: z.int().min(1).nullish(),
    temperature: z.number().nullish(),
    top_p: z.number().nullish(),
    reasoning: z.looseObject({ effort: z.string().nullish() }).openapi("ResponseReasoning").nullish(),
    text: z.looseObject({ verbosity: z.string().nullish() }).openapi("ResponseText").nullish(),
    include: z.array(z.string()).nullish(),
    store: z.boolean().nullish().openapi({ description: "`false` stores nothing of the response. By default `true`" }),
    previous_response_id: responseId.nullish(),
    stream: z.boolean().nullish(),
  })
  .openapi("ResponseRequest", { example: { model: "sandbox-text", input: "What does a lighthouse see?" } });

export const OpenAiResponse = z
  .looseObject({
    id: responseId,
    object: z.literal("response"),
    created_at: z.int(),
    status: z.enum(["completed", "incomplete", "failed", "in_progress"]).openapi("ResponseStatus"),
    model: modelId,
    output: z.array(item),
    previous_response_id: responseId.nullable(),
    store: z.boolean(),
    usage: z
      .looseObject({
        input_tokens: z.int(),
        output_tokens: z.int(),
        total_tokens: z.int(),
        cost: euros.openapi({ description: "Charged amount in EUR" }),
      })
      .openapi("ResponseUsage")
      .nullable(),
  })
  .openapi("Response");

export const DeletedResponse = z
  .object({ id: responseId, object: z.literal("response"), deleted: z.literal(true) })
  .openapi("DeletedResponse");

export const ResponseItems = z
  .object({
    object: z.literal("list"),
    data: z.array(item),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .openapi("ResponseItems");

export const ResponseTokens = z
  .object({ object: z.literal("response.input_tokens"), input_tokens: z.int() })
  .openapi("ResponseTokens");
