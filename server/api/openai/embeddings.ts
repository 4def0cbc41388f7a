import { z } from "@hono/zod-openapi";
import { embed } from "../../domain/openai/embed";
import { givenMembers } from "../../domain/openai/parameters";
import { defineOperation } from "../operation";
import { OpenAiEmbeddingRequest, OpenAiEmbeddings } from "../schemas/openai";
import { scopeKey, setGenerationId } from "./route";
import { generationHeaders, ModelId, shared } from "./shared";

export const createEmbeddings = defineOperation({
  ...shared,
  name: "createOpenAiEmbeddings",
  path: "/v1/embeddings",
  summary: "Create embeddings",
  description: "Returns the vectors of texts and charges their tokens.",
  body: z.looseObject({ model: ModelId }),
  publishedBody: OpenAiEmbeddingRequest,
  bodyBounds: { maxBytes: 8 * 1024 * 1024, maxValues: 300_000 },
  idempotent: true,
  joinsRetries: true,
  responses: { 200: { description: "The vectors", schema: OpenAiEmbeddings, headers: generationHeaders } },
  async handler({ ctx, body: { model, ...body }, request, idempotency, client }) {
    const { answer, replayed } = await embed(ctx, {
      model,
      client,
      body: givenMembers(body),
      idempotency: scopeKey(idempotency, "embeddings"),
      onGeneration: (id) => setGenerationId(request, id),
    });
    return { text: answer, headers: replayed ? { "Idempotent-Replayed": "true" } : undefined };
  },
});
