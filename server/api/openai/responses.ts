import { z } from "@hono/zod-openapi";
import { completeChat, countChat, streamChat } from "../../domain/chat";
import type { Hub } from "../../domain/hub";
import { type PreparedResponse, renamePlaces, type ResponseRequest, withResponse } from "../../domain/responses";
import { hashInSlices } from "../../lib/canonical";
import { completeChatOperation } from "../chat";
import { defineOperation, type HandlerArgs, type HandlerResult } from "../operation";
import { OpenAiResponse, OpenAiResponseRequest, ResponseTokens } from "../schemas/responses";
import { scopeKey, setGenerationId } from "./route";
import { generationHeaders, ModelId } from "./shared";

const shared = {
  method: "post",
  tag: "Responses",
  auth: "key",
  envelope: "responses",
  body: z.looseObject({ model: ModelId }),
  publishedBody: OpenAiResponseRequest,
  bodyBounds: completeChatOperation.bodyBounds,
  forwardsBody: true,
} as const;

export const createResponse = defineOperation({
  ...shared,
  name: "createOpenAiResponse",
  path: "/v1/responses",
  summary: "Create a response",
  description:
    "OpenAI's Responses over any text model. A model whose provider has Responses gets the request as it is; for others it is " +
    "translated into a chat. With `stream: true` the response is server-sent events.",
  cost: "write",
  idempotent: true,
  joinsRetries: true,
  // Codex repeats its request with some members in another order.
  identifyRepeat: ({ value, exact }) => hashInSlices(["/v1/responses", exact ?? value]),
  responses: {
    200: {
      description: "The response",
      schema: OpenAiResponse,
      headers: {
        ...generationHeaders,
        "X-Hub-Dropped": "Members and types of the request that the model did not get, separated by commas",
        "X-Hub-Max-Tokens": "The output limit, if your balance covers less than the requested one",
      },
    },
  },
  problems: completeChatOperation.problems,
  handler: ({ ctx, body, idempotency, client, request }) =>
    withResponse(ctx, body as ResponseRequest, (prepared) =>
      answer(prepared, { idempotency: scopeKey(idempotency, "responses"), client, request }),
    ),
});

type Args = Pick<HandlerArgs<"key", undefined, undefined>, "idempotency" | "client" | "request">;

async function answer(prepared: PreparedResponse<Hub>, { idempotency, client, request }: Args): Promise<HandlerResult> {
  const { ctx, body, dialect, dropped, isStreamed } = prepared;
  const onGeneration = (id: string) => setGenerationId(request, id);
  try {
    if (isStreamed) {
      const caller = { disconnected: request.signal, onGeneration, request: client, dialect };
      const { body: content, ...result } = await streamChat(ctx, body, idempotency, caller);
      return { content, headers: { ...STREAM_HEADERS, ...describeResult(result, dropped) } };
    }
    const result = await completeChat(ctx, body, idempotency, client, onGeneration, dialect);
    return { text: result.answer, headers: describeResult(result, dropped) };
  } catch (error) {
    throw renamePlaces(error, prepared);
  }
}

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  // Stops proxies such as nginx from buffering events.
  "X-Accel-Buffering": "no",
};

/** Returns the headers that say what became of a request. */
const describeResult = (
  { replayed, maxTokens }: { replayed: boolean; maxTokens: number | null },
  dropped: string[],
): Record<string, string> => ({
  ...(replayed && { "Idempotent-Replayed": "true" }),
  ...(dropped.length > 0 && { "X-Hub-Dropped": dropped.map(encodeURI).join(",") }),
  ...(maxTokens !== null && { "X-Hub-Max-Tokens": String(maxTokens) }),
});

export const countResponseTokens = defineOperation({
  ...shared,
  name: "countOpenAiResponseTokens",
  path: "/v1/responses/input_tokens",
  summary: "Count input tokens",
  description: "Estimates the tokens that a request for a response would have as input. Costs nothing.",
  cost: "read",
  responses: { 200: { description: "The number of tokens", schema: ResponseTokens } },
  problems: ["model_not_found", "file_expired", "provider_error"],
  handler: ({ ctx, body }) =>
    withResponse(ctx, body as ResponseRequest, async (prepared) => {
      const input_tokens = await countChat(prepared.ctx, prepared.body, prepared.dialect).catch((error: unknown) => {
        throw renamePlaces(error, prepared);
      });
      return { json: { object: "response.input_tokens", input_tokens } };
    }),
});
