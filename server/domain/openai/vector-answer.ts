import type { JsonText } from "../../lib/json/codec";
import type { ReplayedChat } from "../generations/replay";
import type { OpenAiHub } from "./hub";
import { type VectorList, writeVectors } from "./vector-list";
import { readVectors } from "./vector-pieces";

/** The answer to a request for vectors: the response body, or what it is written from while it is sent. */
export type VectorAnswer = JsonText | { list: VectorList; vectors: Iterable<Buffer> | AsyncIterable<Buffer> };

/** As much as one value of the database, and one string, may take at once. */
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

/** Returns what is stored as the answer of a large list, whose vectors are stored in pieces. */
export const serializeList = (list: VectorList): string => `${LIST_START}${JSON.stringify(list)}}`;

/** Returns the answer that was stored of a generation. */
export function parseAnswer(hub: OpenAiHub, { id, answer }: ReplayedChat): VectorAnswer {
  if (typeof answer !== "string" || !answer.startsWith(LIST_START)) return answer;
  const { vectors: list } = JSON.parse(answer) as { vectors: VectorList };
  return { list, vectors: readVectors(hub, id, list.size) };
}
