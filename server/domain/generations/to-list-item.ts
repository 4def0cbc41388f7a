import type { Hub } from "../../context";
import { toEuros, toEurosOrNull } from "../../lib/money";
import { serializeOutput } from "../files/serialize-file";
import type { Generation } from "./generation";

const LONGEST = 160;

/** A generation as a line of a list: what tells it from the others, without what can be large. */
export function toListItem(hub: Hub, generation: Generation) {
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

/** The prompt, what was said last in a chat or the word that a training teaches, cut short; null when there is none. */
export function formatTitle({ prompt, messages, trigger_word }: Record<string, unknown>): string | null {
  const text = [prompt, lastWords(messages), trigger_word].find((one) => typeof one === "string");
  if (!text) return null;
  const line = text
    .slice(0, 4 * LONGEST)
    .replace(/\s+/g, " ")
    .trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST).replace(/\p{Surrogate}$/u, "")}…` : line || null;
}

function lastWords(messages: unknown): string | null {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
  const content = isRecord(last) ? last.content : null;
  if (!Array.isArray(content)) return typeof content === "string" ? content : null;
  const texts = content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : ""));
  return texts.join(" ");
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
