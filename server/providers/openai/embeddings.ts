import { z } from "zod";
import { getConnection } from "../http/connection";
import { describeChatRejection, describeConnectionError } from "../http/describe-chat-failure";
import { isAnswered } from "../http/describe-rejection";
import { unusableResponse } from "../http/read-completion";
import { readResponseBody } from "../http/read-response-body";
import type { EmbedCall, EmbedState } from "../chat-call";
import { getHeaders } from "./chat";

/** 2,048 vectors of 3,072 numbers in base64. Servers without base64 answer fewer. */
const BOUNDS = { maxBytes: 40 * 1024 * 1024, maxDepth: 16, maxValues: 1_000_000 };
const MAX_DIMENSIONS = 65_536;
const NUMBER_BYTES = 4;

const Response = z.object({
  data: z.array(
    z.object({
      index: z.int().min(0).optional(),
      embedding: z.union([z.instanceof(Uint8Array), z.string(), z.array(z.number())]),
    }),
  ),
  usage: z.object({ prompt_tokens: z.unknown() }).optional().catch(undefined),
});

/** Computes vectors at any server with OpenAI's API. Does not follow redirects. */
export async function computeEmbeddings(call: EmbedCall, signal: AbortSignal): Promise<EmbedState> {
  const { id, body, route, isLarge, json, traceHeaders } = call;
  try {
    const { pool, path } = getConnection(route.provider);
    const response = await pool.request({
      method: "POST",
      path: `${path}/embeddings`,
      headers: {
        ...traceHeaders,
        ...getHeaders(route.provider),
        accept: "application/json",
        "idempotency-key": id,
      },
      // Base64 takes a third of the size, and one value for a vector; servers without it answer numbers.
      body: await json.stringify({ ...body, encoding_format: "base64" }, { isLarge }),
      signal,
    });
    if (!isAnswered(response.statusCode)) return await describeChatRejection(response, route.provider);
    const bytes = await readResponseBody(response, BOUNDS, call.reserve);
    const parsed = Response.safeParse(await parseOrNull(call, bytes));
    const vectors = parsed.success ? readVectors(parsed.data.data, countInputs(body.input)) : null;
    if (!vectors) return unusableResponse;
    return { state: "succeeded", vectors, promptTokens: parsed.data?.usage?.prompt_tokens, upstreamStatus: 200 };
  } catch (error) {
    signal.throwIfAborted();
    return describeConnectionError(error);
  }
}

async function parseOrNull({ json }: EmbedCall, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  try {
    return await json.parseVectors(bytes);
  } catch {
    return null;
  }
}

/** Returns how many vectors an input has: a list of numbers is one text in tokens. */
const countInputs = (input: unknown) => (Array.isArray(input) && typeof input[0] !== "number" ? input.length : 1);

/** Returns the vectors in the order of the inputs; null unless each has one and all are equally long. */
function readVectors(items: z.output<typeof Response>["data"], count: number): Buffer[] | null {
  if (items.length !== count) return null;
  const vectors = new Array<Buffer | undefined>(count).fill(undefined);
  for (const [position, { index = position, embedding }] of items.entries()) {
    if (index >= count || vectors[index]) return null;
    vectors[index] = toBytes(embedding);
  }
  const length = vectors[0]!.length;
  const isValid = length > 0 && length % NUMBER_BYTES === 0 && length <= MAX_DIMENSIONS * NUMBER_BYTES;
  return isValid && vectors.every((vector) => vector!.length === length) ? (vectors as Buffer[]) : null;
}

function toBytes(embedding: Uint8Array | string | number[]): Buffer {
  if (typeof embedding === "string") return Buffer.from(embedding, "base64");
  const { buffer, byteOffset, byteLength } = Array.isArray(embedding) ? Float32Array.from(embedding) : embedding;
  return Buffer.from(buffer, byteOffset, byteLength);
}
