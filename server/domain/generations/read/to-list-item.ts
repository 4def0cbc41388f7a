import { toEuros, toEurosOrNull } from "../../../lib/money";
import { serializeOutput } from "../../files";
import type { VisibleGeneration } from "../row";
import type { ReadHub } from "./hub";

const MAX_TITLE_LENGTH = 160;

/** Returns a generation for lists, without members that can be large. */
export function toListItem(hub: ReadHub, generation: VisibleGeneration) {
  const { outputs } = generation;
  return {
    id: generation.id,
    model: generation.model,
    is_llm: generation.is_llm,
    status: generation.status,
    title: formatTitle(generation.input),
    estimated_cost: toEuros(generation.estimated_cost),
    billed_cost: toEurosOrNull(generation.billed_cost),
    progress: generation.progress,
    output: outputs[0] ? serializeOutput(hub, outputs[0]) : null,
    output_count: outputs.length,
    created_at: generation.created_at.toISOString(),
    completed_at: generation.completed_at?.toISOString() ?? null,
  };
}

/** Returns a short title: the prompt, a chat's last message or a training's trigger word; null when there is none. */
export function formatTitle({ prompt, messages, trigger_word }: Record<string, unknown>): string | null {
  const text = [prompt, lastMessageText(messages), trigger_word].find((value) => typeof value === "string");
  if (!text) return null;
  const title = text
    .slice(0, 4 * MAX_TITLE_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return title.length > MAX_TITLE_LENGTH
    ? `${title.slice(0, MAX_TITLE_LENGTH).replace(/\p{Surrogate}$/u, "")}…`
    : title || null;
}

function lastMessageText(messages: unknown): string | null {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
  const content = isRecord(last) ? last.content : null;
  if (!Array.isArray(content)) return typeof content === "string" ? content : null;
  const texts = content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : ""));
  return texts.join(" ");
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
