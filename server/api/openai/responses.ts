import { z } from "@hono/zod-openapi";
import { completeChat, countChat, isPromptTooLong, streamChat } from "../../domain/chat";
import type { Hub } from "../../domain/hub";
import { withOpenAiLabels } from "../../domain/labels";
import { formatWholeResponse, type PreparedResponse, renamePlaces, withResponse } from "../../domain/responses";
import { newId } from "../../lib/id";
import { completeChatOperation } from "../chat";
import { hashBody } from "../middleware/retries";
import { defineOperation, type HandlerArgs, type ImmediateResult } from "../operation";
import { OpenAiResponse, OpenAiResponseRequest, ResponseTokens } from "../schemas/responses";
import { replayOrThrow } from "./replay";
import { nameRunning, scopeKey, setGenerationId } from "./route";
import { describeChat, dialectHeaders, ModelId } from "./shared";

const PATH = "/v1/responses";

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
  path: PATH,
  summary: "Create a response",
  description:
    "OpenAI's Responses over any text model. A model whose provider has Responses gets the request as it is; for others it is " +
    "translated into a chat. With `stream: true` the response is server-sent events.",
  cost: "write",
  idempotent: true,
  joinsRetries: true,
  // Codex writes the members of a repeat in another order.
  identifyRepeat: ({ value, exact }, pace) => hashBody(pace, [PATH, exact ?? value]),
  responses: {
    200: {
      description: "The response",
      schema: OpenAiResponse,
      headers: dialectHeaders,
    },
  },
  problems: completeChatOperation.problems,
  handler({ ctx, body, idempotency, client, request }) {
    const scoped = scopeKey(idempotency, "responses");
    const formatStream = body.stream === true ? formatWholeResponse : null;
    const response = withResponse(withOpenAiLabels(ctx, body), body, (prepared) =>
      answer(prepared, { idempotency: scoped, client, request }).catch((error: unknown) => {
        throw renamePlaces(error, prepared);
      }),
    ).catch((error: unknown) => replayOrThrow(error, { ctx, request, idempotency: scoped, formatStream }));
    return nameRunning(request, response);
  },
});

type Args = Pick<HandlerArgs<"key", undefined, undefined>, "idempotency" | "client" | "request">;

async function answer(
  prepared: PreparedResponse<Hub>,
  { idempotency, client, request }: Args,
): Promise<ImmediateResult> {
  const { ctx, body, dropped, isStreamed } = prepared;
  const dialect = { conversation: request.headers.get("x-session-affinity"), ...prepared.dialect };
  let chatId: string | null = null;
  const onGeneration = (id: string) => setGenerationId(request, (chatId = id));
  if (isStreamed) {
    const caller = { disconnected: request.signal, onGeneration, request: client, dialect };
    try {
      await prepared.checkLength();
      const { body: content, ...result } = await streamChat(ctx, body, idempotency, caller);
      return { content, headers: describeChat({ ...result, isStreamed, dropped: dropped() }) };
    } catch (error) {
      // Codex looks for this code only in a failed response.
      if (!isPromptTooLong(error)) throw error;
      const content = new TextEncoder().encode(prepared.streamFailure(chatId ?? newId(), error));
      return { content, headers: describeChat({ replayed: false, maxTokens: null, isStreamed, dropped: dropped() }) };
    }
  }
  await prepared.checkLength();
  const result = await completeChat(ctx, body, idempotency, client, onGeneration, dialect);
  return { text: result.answer, headers: describeChat({ dropped: dropped(), ...result }) };
}

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
    withResponse(ctx, body, async (prepared) => {
      const input_tokens = await countChat(prepared.ctx, prepared.body, prepared.dialect).catch((error: unknown) => {
        throw renamePlaces(error, prepared);
      });
      return { json: { object: "response.input_tokens", input_tokens } };
    }),
});
