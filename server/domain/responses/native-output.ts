import { type ChatChunk, NATIVE } from "../../providers/chat-call";
import { toItemId } from "./ids";
import { eventsOfItems, type OutputEvent } from "./item-events";
import { asObject, isObject } from "../../lib/is-object";
import type { Json } from "./json";

/** The output of a provider that has Responses itself, under the hub's ids. */
export interface NativeOutput {
  /** Returns the events of a chunk as the client gets them; the same events if it was the last one read. */
  read(chunk: ChatChunk): OutputEvent[];
  /** Returns the provider's whole response; what has arrived if it was cut. */
  response(): Json;
}

/** Events that begin a response, which the hub sends itself. */
const BEGINNINGS = ["response.created", "response.in_progress", "response.queued"];
const ENDINGS = ["response.completed", "response.incomplete"];

export function createNativeOutput(responseId: string): NativeOutput {
  const ids = new Map<unknown, string>();
  const items: Json[] = [];
  let whole: Json | null = null;
  let last: { chunk: ChatChunk; events: OutputEvent[] } | null = null;
  const rename = (item: Json, index: number): Json => {
    const id = toItemId(item.type, { responseId, part: "output", index });
    ids.set(item.id, id);
    return { ...item, id };
  };
  const translate = ({ type, data }: NonNullable<ChatChunk[typeof NATIVE]>): OutputEvent[] => {
    if (BEGINNINGS.includes(type)) return [];
    if (ENDINGS.includes(type)) {
      whole = renameOutput(asObject(data.response), responseId);
      // A provider that ignores `stream` sends no other event.
      return items.length === 0 ? eventsOfItems(whole.output as Json[]) : [];
    }
    const event: OutputEvent = { ...data, type };
    const { output_index: index, item, item_id: itemId } = data;
    if (isObject(item)) event.item = rename(item, Number(index));
    if (ids.has(itemId)) event.item_id = ids.get(itemId);
    if (type === "response.output_item.done" && isObject(event.item)) items.push(event.item);
    return [event];
  };
  return {
    read(chunk) {
      if (last?.chunk === chunk) return last.events;
      const event = chunk[NATIVE];
      last = { chunk, events: event ? translate(event) : [] };
      return last.events;
    },
    response: () =>
      whole ?? { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, output: items },
  };
}

/** Returns a provider's response with the hub's ids of its items. */
export function renameOutput(response: Json, responseId: string): Json {
  const output = Array.isArray(response.output) ? response.output.filter(isObject) : [];
  return {
    ...response,
    output: output.map((item, index) => ({ ...item, id: toItemId(item.type, { responseId, part: "output", index }) })),
  };
}
