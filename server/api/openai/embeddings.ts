import { Readable } from "node:stream";
import { z } from "@hono/zod-openapi";
import { withLabels } from "../../domain/labels";
import { embed, givenMembers, writeVectors } from "../../domain/openai";
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
    const { answer, replayed, release } = await embed(withLabels(ctx, { endUser: body.user }), {
      model,
      client,
      body: givenMembers(body),
      idempotency: scopeKey(idempotency, "embeddings"),
      onGeneration: (id) => setGenerationId(request, id),
    });
    const headers: Record<string, string> = replayed ? { "Idempotent-Replayed": "true" } : {};
    if (typeof answer !== "string" && "list" in answer)
      return {
        headers: { ...headers, "Content-Type": "application/json" },
        content: streamText(writeVectors(answer.list, answer.vectors), release),
      };
    release();
    return { headers, text: answer };
  },
});

/** How long a client may take to read its vectors, which stay in memory until then. */
const MAX_READ_MS = 240_000;

/** Returns a body of these texts, and calls `onClose` when it is sent, its client disconnects, or the time is up. */
function streamText(texts: AsyncIterable<string>, onClose: () => void): ReadableStream {
  const stream = Readable.from(texts, { objectMode: false });
  const timer = setTimeout(() => stream.destroy(new Error("the response was not read in time")), MAX_READ_MS).unref();
  stream.once("close", () => {
    clearTimeout(timer);
    onClose();
  });
  return Readable.toWeb(stream) as unknown as ReadableStream;
}
