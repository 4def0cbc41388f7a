import type { ChatChunk } from "../../providers/chat-call";
import {
  buildItem,
  callOf,
  endItem,
  type ItemOwner,
  type ItemSource,
  type ModelCall,
  type TextKind,
} from "./build-item";
import { closeItem, deltaOf, openItem, type OutputEvent } from "./item-events";
import type { Json } from "./json";
import { listTexts, MAX_CALLS, readCall } from "./read-message";

/** The output of a response, as the chunks of a chat make it. */
export interface Output {
  /** Returns the events of a chunk; the same events if it was the last one read. */
  read(chunk: ChatChunk): OutputEvent[];
  /** Ends all items and returns the events that end them; later calls return the same events. */
  end(status: "completed" | "incomplete"): OutputEvent[];
  /** The items so far; those of a response that has ended are whole. */
  items(): Json[];
}

interface OpenItem {
  index: number;
  source: ItemSource;
  text: string;
  /** The item as it was begun; null before that. */
  begun: Json | null;
  /** The item as it ended; null before that. */
  ended: Json | null;
}

/** Returns an empty output. Calls stay open until its end, because their pieces may interleave. */
export function createOutput(owner: ItemOwner): Output {
  const all: OpenItem[] = [];
  const calls = new Map<number, OpenItem & ModelCall>();
  let current: OpenItem | null = null;
  let last: { chunk: ChatChunk; events: OutputEvent[] } | null = null;
  let ending: OutputEvent[] | null = null;

  const begin = (source: ItemSource): OpenItem => ({ index: -1, source, text: "", begun: null, ended: null });
  const beginCall = (key: number) => {
    const unknown: ModelCall = { name: "", id: "", signature: null };
    return { ...begin(callOf(owner, unknown, key)), ...unknown };
  };
  const start = (item: OpenItem): OutputEvent[] => {
    if (item.begun) return [];
    item.index = all.push(item) - 1;
    item.begun = buildItem(owner, { ...item, text: "", status: "in_progress" });
    return openItem(item.index, item.begun);
  };
  const close = (item: OpenItem | null, status: string): OutputEvent[] => {
    if (!item || item.ended) return [];
    const events = start(item);
    const whole = endItem(owner, { ...item, status });
    item.ended = whole;
    const delta = streamsText(item.source) ? null : deltaOf(item.index, whole, (whole.input ?? "") as string);
    return [...events, ...(delta?.delta ? [delta] : []), ...closeItem(item.index, whole)];
  };
  const add = (item: OpenItem, text: string): OutputEvent[] => {
    const events = start(item);
    item.text += text;
    const delta = text !== "" && streamsText(item.source) ? deltaOf(item.index, item.begun!, text) : null;
    return delta ? [...events, delta] : events;
  };
  const addText = (kind: TextKind, text: string): OutputEvent[] => {
    if (current?.source.kind === kind) return add(current, text);
    const closing = close(current, "completed");
    current = begin({ kind });
    return [...closing, ...add(current, text)];
  };
  const addCall = (piece: unknown): OutputEvent[] => {
    const { key, id, name, signature, text } = readCall(piece);
    if (!calls.has(key) && calls.size === MAX_CALLS) return [];
    const closing = close(current, "completed");
    current = null;
    const call = calls.get(key) ?? beginCall(key);
    calls.set(key, call);
    if (!call.begun) {
      call.id ||= id;
      call.name += name;
      call.signature ??= signature;
      call.source = callOf(owner, call, key);
    }
    if (text === "") return closing;
    const earlier = [...calls.values()].slice(0, [...calls.values()].indexOf(call));
    return [...closing, ...earlier.flatMap(start), ...add(call, text)];
  };
  const end = (status: string): OutputEvent[] => {
    const events = [...calls.values()].flatMap(start);
    return [...events, ...all.flatMap((item) => close(item, item.index === all.length - 1 ? status : "completed"))];
  };

  return {
    read(chunk) {
      if (last?.chunk === chunk) return last.events;
      const delta = chunk.choices.find(({ index }) => index === 0)?.delta ?? {};
      const pieces: unknown[] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
      const events = [...listTexts(delta).flatMap(({ kind, text }) => addText(kind, text)), ...pieces.flatMap(addCall)];
      last = { chunk, events };
      return events;
    },
    end: (status) => (ending ??= end(status)),
    items: () => all.map((item) => item.ended ?? buildItem(owner, { ...item, status: "in_progress" })),
  };
}

/**
 * Returns whether the text of an item is sent as it arrives: the input of a custom tool is inside JSON, which must be
 * complete.
 */
const streamsText = (source: ItemSource): boolean => source.kind !== "call" || source.tool.kind === "function";
