import { readThoughtSignature } from "../../providers/chat-call";
import type { TextKind } from "./build-item";
import type { Json } from "./json";

/** More calls of one message are ignored; an honest server never sends this many. */
export const MAX_CALLS = 128;

interface MessageText {
  kind: TextKind;
  text: string;
}

/** Returns the texts of a message, or of a delta, in the order of their items; servers call reasoning by one of two names. */
export function listTexts({ reasoning_content, reasoning, content, refusal }: Json): MessageText[] {
  const texts: MessageText[] = [];
  const add = (kind: TextKind, text: unknown) => {
    if (typeof text === "string" && text !== "") texts.push({ kind, text });
  };
  add("reasoning", reasoning_content ?? reasoning);
  add("text", content);
  add("refusal", refusal);
  return texts;
}

/** Returns a call of a message, or a piece of one, with empty texts for what it does not have. */
export function readCall(call: unknown) {
  const { index, id, function: called } = (call ?? {}) as Json;
  const { name, arguments: text } = (called ?? {}) as Json;
  return {
    key: Number.isSafeInteger(index) ? Number(index) : 0,
    id: toText(id),
    signature: readThoughtSignature(call),
    name: toText(name),
    text: toText(text),
  };
}

const toText = (value: unknown): string => (typeof value === "string" ? value : "");
