import type { JsonText } from "../../lib/json/codec";
import { createPacer } from "../../lib/pace";
import type { ReplayedChat } from "../generations/replay";
import type { OpenAiHub } from "./hub";
import { readVectors } from "./vector-pieces";

/** A list of vectors without the vectors, as it is stored. */
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
 * Yields the response body with these vectors in OpenAI's format, piece by piece, and yields to the event loop between them.
 * Throws when the number of vectors is not that of the list.
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

/** The answer to a request for vectors: the response body, or for a large one the arguments of `writeVectors`. */
export type VectorAnswer = JsonText | { list: VectorList; vectors: Iterable<Buffer> | AsyncIterable<Buffer> };

/** How large an answer may be as one string and one value in the database. */
const MAX_TEXT_BYTES = 128 * 1024;
const LIST_START = '{"vectors":';

/** Returns whether the vectors of a list are too large to be handled as one text. */
export const isLargeList = ({ count, size }: VectorList): boolean => count * size > MAX_TEXT_BYTES;

/** Returns the response body of a small list. */
export async function joinVectors(list: VectorList, vectors: Buffer[]): Promise<string> {
  let body = "";
  for await (const text of writeVectors(list, vectors)) body += text;
  return body;
}

/** Returns the text that is stored as the answer for a large list, whose vectors are stored in pieces. */
export const serializeList = (list: VectorList): string => `${LIST_START}${JSON.stringify(list)}}`;

/** Parses the stored answer of a generation. */
export function parseAnswer(hub: OpenAiHub, { id, answer }: ReplayedChat): VectorAnswer {
  if (typeof answer !== "string" || !answer.startsWith(LIST_START)) return answer;
  const { vectors: list } = JSON.parse(answer) as { vectors: VectorList };
  return { list, vectors: readVectors(hub, id, list.size) };
}
