import { setImmediate as yieldToEventLoop } from "node:timers/promises";

const VECTORS_PER_TURN = 16;
const NUMBER_BYTES = 4;

/** Returns the response body with the vectors as text, in OpenAI's format. Other requests are served meanwhile. */
export async function writeVectors(
  vectors: Buffer[],
  format: "float" | "base64",
  { model, tokens, cost }: { model: string; tokens: number; cost: number },
): Promise<string> {
  const items: string[] = [];
  for (const [index, vector] of vectors.entries()) {
    const embedding = format === "base64" ? JSON.stringify(vector.toString("base64")) : writeNumbers(vector);
    items.push(`{"object":"embedding","index":${index},"embedding":${embedding}}`);
    if (index % VECTORS_PER_TURN === VECTORS_PER_TURN - 1) await yieldToEventLoop();
  }
  const usage = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens, cost });
  return `{"object":"list","data":[${items.join(",")}],"model":${JSON.stringify(model)},"usage":${usage}}`;
}

function writeNumbers(vector: Buffer): string {
  const numbers: number[] = [];
  for (let at = 0; at < vector.length; at += NUMBER_BYTES) numbers.push(Number(vector.readFloatLE(at).toPrecision(9)));
  return JSON.stringify(numbers);
}
