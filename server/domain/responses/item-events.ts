import type { Json } from "./json";

/** An event of a response's stream, without its number. */
export interface OutputEvent extends Json {
  type: string;
}

/** How the text of an item streams: its part, and its events. */
interface TextEvents {
  delta: string;
  done: string;
  /** The member of the last event that has the whole text. */
  member: string;
  /** Members that OpenAI's SDKs require in both events. */
  others?: Json;
  part?: { added: string; done: string; position: "content_index" | "summary_index" };
}

const OUTPUT_PART = {
  added: "response.content_part.added",
  done: "response.content_part.done",
  position: "content_index",
} as const;
const SUMMARY_PART = {
  added: "response.reasoning_summary_part.added",
  done: "response.reasoning_summary_part.done",
  position: "summary_index",
} as const;

const EVENTS: Record<string, TextEvents> = {
  output_text: { ...eventsOf("output_text", "text"), others: { logprobs: [] }, part: OUTPUT_PART },
  refusal: { ...eventsOf("refusal", "refusal"), part: OUTPUT_PART },
  summary_text: { ...eventsOf("reasoning_summary_text", "text"), part: SUMMARY_PART },
  function_call: eventsOf("function_call_arguments", "arguments"),
  custom_tool_call: eventsOf("custom_tool_call_input", "input"),
};

function eventsOf(name: string, member: string): TextEvents {
  return { delta: `response.${name}.delta`, done: `response.${name}.done`, member };
}

/** A text of an item, such as one part of a message. */
interface ItemText {
  events: TextEvents;
  text: string;
  /** The part that has the text; null for the text of a call. */
  part: Json | null;
  position: number;
}

/** Returns the texts of an item that stream. */
function listTexts(item: Json): ItemText[] {
  const parts = item.type === "message" ? item.content : item.type === "reasoning" ? item.summary : null;
  if (Array.isArray(parts))
    return (parts as Json[]).flatMap((part, position) => {
      const events = Object.hasOwn(EVENTS, String(part.type)) ? EVENTS[String(part.type)]! : null;
      return events?.part ? [{ events, text: String(part[events.member]), part, position }] : [];
    });
  const events = Object.hasOwn(EVENTS, String(item.type)) ? EVENTS[String(item.type)]! : null;
  return events && !events.part ? [{ events, text: String(item[events.member]), part: null, position: 0 }] : [];
}

const placeOf = (index: number, item: Json, { events, position }: Pick<ItemText, "events" | "position">): Json => ({
  item_id: item.id,
  output_index: index,
  ...(events.part && { [events.part.position]: position }),
});

/** Returns the events that begin an item, which has no text yet. */
export function openItem(index: number, item: Json): OutputEvent[] {
  const empty = item.type === "message" ? { ...item, content: [] } : emptySummary(item);
  return [
    { type: "response.output_item.added", output_index: index, item: { ...empty, ...inProgress(item) } },
    ...listTexts(item).flatMap((text) =>
      text.part
        ? [{ type: text.events.part!.added, ...placeOf(index, item, text), part: { ...text.part, [text.events.member]: "" } }] // prettier-ignore
        : [],
    ),
  ];
}

const emptySummary = (item: Json): Json => (item.type === "reasoning" ? { ...item, summary: [] } : clearText(item));
const clearText = (item: Json): Json => {
  const [text] = listTexts(item);
  return text ? { ...item, [text.events.member]: "" } : item;
};
const inProgress = (item: Json): Json => (item.status === undefined ? {} : { status: "in_progress" });

/** Returns the event that adds to the text of an item; null if its text does not stream. */
export function deltaOf(index: number, item: Json, delta: string): OutputEvent | null {
  const [text] = listTexts(item);
  return text ? toDelta(index, item, text, delta) : null;
}

const toDelta = (index: number, item: Json, text: ItemText, delta: string): OutputEvent => ({
  type: text.events.delta,
  ...placeOf(index, item, text),
  delta,
  ...text.events.others,
});

/** Returns the events that end an item, with all of its text. */
export const closeItem = (index: number, item: Json): OutputEvent[] => [
  ...listTexts(item).flatMap((text) => {
    const place = placeOf(index, item, text);
    const { done: type, member, others } = text.events;
    const done = { type, ...place, [member]: text.text, ...others, ...nameOf(item) };
    return text.part ? [done, { type: text.events.part!.done, ...place, part: text.part }] : [done];
  }),
  { type: "response.output_item.done", output_index: index, item },
];

const nameOf = ({ type, name }: Json): Json => (type === "function_call" ? { name } : {});

/** Returns the events of whole items, each text as one delta. */
export const eventsOfItems = (items: Json[]): OutputEvent[] =>
  items.flatMap((item, index) => [
    ...openItem(index, item),
    ...listTexts(item)
      .filter(({ text }) => text !== "")
      .map((text) => toDelta(index, item, text, text.text)),
    ...closeItem(index, item),
  ]);
