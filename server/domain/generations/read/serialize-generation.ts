import { cutText } from "../../../lib/cut-text";
import { toEuros, toEurosOrNull } from "../../../lib/money";
import { showFailure, showProvider } from "../../exposure";
import { serializeOutput } from "../../files";
import { describeUsage } from "../../tokens";
import { toPriority, type VisibleGeneration } from "../row";
import type { ReadHub } from "./hub";

/**
 * Returns the representation of a generation in API responses and events (specification, section 2.1), as far as `exposure`
 * shows its provider.
 */
export function serializeGeneration(hub: ReadHub, generation: VisibleGeneration, exposure = hub.exposure) {
  return {
    id: generation.id,
    model: generation.model,
    is_llm: generation.is_llm,
    status: generation.status,
    input: generation.input,
    estimated_cost: toEuros(generation.estimated_cost),
    billed_cost: toEurosOrNull(generation.billed_cost),
    currency: "EUR" as const,
    outputs: generation.outputs.map((output) => serializeOutput(hub, output)),
    error: showFailure(exposure, generation.error, generation.provider),
    missing: generation.missing,
    created_at: generation.created_at.toISOString(),
    started_at: toTime(generation.started_at),
    completed_at: toTime(generation.completed_at),
    provider: showProvider(exposure, generation.provider),
    batch_id: generation.batch_id,
    // Events from before priorities existed have none.
    priority: toPriority(generation.priority ?? 0),
    // Events from before labels existed have neither.
    metadata: generation.metadata ?? {},
    end_user: generation.end_user ?? null,
    progress: generation.progress,
    erased_at: toTime(generation.erased_at),
    ...(generation.is_llm && { usage: generation.completed_at && describeUsage(generation) }),
  };
}

const toTime = (time: Date | null | undefined): string | null => time?.toISOString() ?? null;

const plainColumns = [
  "id",
  "model",
  "is_llm",
  "status",
  "input",
  "error",
  "provider",
  "batch_id",
  "priority",
  "metadata",
  "end_user",
  "progress",
  "input_tokens",
  "output_tokens",
  "token_classes",
] as const;
const timeColumns = ["created_at", "started_at", "completed_at"] as const;
const amountColumns = ["estimated_cost", "billed_cost"] as const;

/** A generation's row at the time of an event, as JSON; amounts are text, because they must be exact. */
export type Snapshot = Pick<VisibleGeneration, (typeof plainColumns)[number] | "outputs" | "missing"> &
  Record<(typeof timeColumns)[number] | (typeof amountColumns)[number], string | null> & {
    /** Absent unless the content was erased since. */
    erased_at?: string;
  };

/** Returns SQL for the snapshot of a row under `alias`; `lists` has JSON expressions for its arrays. */
export const snapshotSql = (alias: string, lists: Record<"outputs" | "missing", string>): string =>
  `json_build_object(${[
    ...[...plainColumns, ...timeColumns].map((name) => `'${name}', ${alias}.${name}`),
    ...amountColumns.map((name) => `'${name}', ${alias}.${name}::text`),
    ...Object.entries(lists).map(([name, list]) => `'${name}', ${list}`),
  ].join(", ")})`;

/** Returns the generation as customers saw it at the time of the snapshot. */
export const parseSnapshot = (snapshot: Snapshot): VisibleGeneration => ({
  ...snapshot,
  estimated_cost: BigInt(snapshot.estimated_cost!),
  billed_cost: snapshot.billed_cost === null ? null : BigInt(snapshot.billed_cost),
  created_at: new Date(snapshot.created_at!),
  started_at: dateOrNull(snapshot.started_at),
  completed_at: dateOrNull(snapshot.completed_at),
  erased_at: dateOrNull(snapshot.erased_at ?? null),
});

const dateOrNull = (text: string | null) => (text === null ? null : new Date(text));

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
    error: showFailure(hub.exposure, generation.error, generation.provider),
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
  const title = cutText(text, 4 * MAX_TITLE_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  return title.length > MAX_TITLE_LENGTH ? `${cutText(title, MAX_TITLE_LENGTH)}…` : title || null;
}

function lastMessageText(messages: unknown): string | null {
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : null;
  const content = isRecord(last) ? last.content : null;
  if (!Array.isArray(content)) return typeof content === "string" ? content : null;
  const texts = content.map((part: unknown) => (isRecord(part) && typeof part.text === "string" ? part.text : ""));
  return texts.join(" ");
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
