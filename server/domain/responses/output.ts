import type { ChatChunk } from "../../providers/chat-call";
import { buildItem, type ItemSource } from "./build-item";
import { closeItem, deltaOf, openItem, type OutputEvent } from "./item-events";
import type { Json } from "./json";
import type { ToolNames } from "./tool-names";

const MAX_CALLS = 128;

/** The output of a response, as the chunks of a chat make it. */
export interface Output {
  /** Returns the events of a chunk; for a chunk that was read just before, the same again. */
  read(chunk: ChatChunk): OutputEvent[];
  /** Ends all items and returns the events of that; later, the same again. */
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

interface Options {
  responseId: string;
  names: ToolNames;
  /** Encrypts reasoning, for a client that sends it back; null if nobody will. */
  seal: ((text: string) => string) | null;
}

/** Returns an empty output. Calls stay open until its end, because their pieces may interleave. */
export function createOutput({ responseId, names, seal }: Options): Output {
  const all: OpenItem[] = [];
  const calls = new Map<number, OpenItem & { name: string; id: string }>();
  let current: OpenItem | null = null;
  let last: { chunk: ChatChunk; events: OutputEvent[] } | null = null;
  let ending: OutputEvent[] | null = null;

  const callOf = (name: string, id: string, index: number): ItemSource => ({
    kind: "call",
    tool: names.decode(name),
    callId: id === "" ? `call_${responseId.replaceAll("-", "")}${index}` : id,
  });
  const begin = (source: ItemSource): OpenItem => ({ index: -1, source, text: "", begun: null, ended: null });
  const build = ({ source, index }: OpenItem, text: string, status: string) =>
    buildItem(source, { responseId, part: "output", index }, text, status);
  const start = (item: OpenItem): OutputEvent[] => {
    if (item.begun) return [];
    item.index = all.push(item) - 1;
    item.begun = build(item, "", "in_progress");
    return openItem(item.index, item.begun);
  };
  const close = (item: OpenItem | null, status: string): OutputEvent[] => {
    if (!item || item.ended) return [];
    const events = start(item);
    const whole = build(item, item.text, status);
    if (item.source.kind === "reasoning" && seal) whole.encrypted_content = seal(item.text);
    item.ended = whole;
    const delta = streamsText(item.source) ? null : deltaOf(item.index, whole, String(whole.input ?? ""));
    return [...events, ...(delta?.delta ? [delta] : []), ...closeItem(item.index, whole)];
  };
  const add = (item: OpenItem, text: string): OutputEvent[] => {
    const events = start(item);
    item.text += text;
    const delta = text !== "" && streamsText(item.source) ? deltaOf(item.index, item.begun!, text) : null;
    return delta ? [...events, delta] : events;
  };
  const addText = (kind: "text" | "refusal" | "reasoning", text: unknown): OutputEvent[] => {
    if (typeof text !== "string" || text === "") return [];
    if (current?.source.kind === kind) return add(current, text);
    const closing = close(current, "completed");
    current = begin({ kind });
    return [...closing, ...add(current, text)];
  };
  const addCall = (piece: unknown): OutputEvent[] => {
    const { index = 0, id, function: called } = (piece ?? {}) as Json;
    const { name, arguments: text } = (called ?? {}) as Json;
    const key = Number.isSafeInteger(index) ? Number(index) : 0;
    if (!calls.has(key) && calls.size === MAX_CALLS) return [];
    const closing = close(current, "completed");
    current = null;
    const call = calls.get(key) ?? { ...begin(callOf("", "", key)), name: "", id: "" };
    calls.set(key, call);
    if (!call.begun) {
      if (typeof id === "string") call.id ||= id;
      if (typeof name === "string") call.name += name;
      call.source = callOf(call.name, call.id, key);
    }
    if (typeof text !== "string" || text === "") return closing;
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
      const events = [
        ...addText("reasoning", delta.reasoning_content ?? delta.reasoning),
        ...addText("text", delta.content),
        ...addText("refusal", delta.refusal),
        ...pieces.flatMap(addCall),
      ];
      last = { chunk, events };
      return events;
    },
    end: (status) => (ending ??= end(status)),
    items: () => all.map((item) => item.ended ?? build(item, item.text, "in_progress")),
  };
}

/** Returns whether the text of an item is sent as it comes: that of a custom tool is inside JSON until its end. */
const streamsText = (source: ItemSource): boolean => source.kind !== "call" || source.tool.kind === "function";
