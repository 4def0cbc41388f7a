import { createPacer } from "../../lib/pace";

/** What a list of vectors says beside them, as it is stored. */
export interface VectorList {
  format: "float" | "base64";
  model: string;
  tokens: number;
  /** In EUR. */
  cost: number;
  count: number;
  /** Bytes of each vector. */
  size: number;
}

const NUMBER_BYTES = 4;

/**
 * Yields the response body with these vectors in OpenAI's format, piece by piece. Other requests are served meanwhile.
 * Throws when there are fewer vectors than the list has.
 */
export async function* writeVectors(
  { format, model, tokens, cost, count }: VectorList,
  vectors: Iterable<Buffer> | AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  const pace = createPacer();
  let index = 0;
  yield '{"object":"list","data":[';
  for await (const vector of vectors) {
    const embedding = format === "base64" ? `"${vector.toString("base64")}"` : writeNumbers(vector);
    yield `${index > 0 ? "," : ""}{"object":"embedding","index":${index},"embedding":${embedding}}`;
    index += 1;
    await pace();
  }
  if (index !== count) throw new Error(`${index} of ${count} vectors are there`);
  const usage = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens, cost });
  yield `],"model":${JSON.stringify(model)},"usage":${usage}}`;
}

function writeNumbers(vector: Buffer): string {
  const numbers: number[] = [];
  for (let at = 0; at < vector.length; at += NUMBER_BYTES) numbers.push(Number(vector.readFloatLE(at).toPrecision(9)));
  return JSON.stringify(numbers);
}
