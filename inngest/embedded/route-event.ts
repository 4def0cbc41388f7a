import { createHash } from "node:crypto";
import { newId } from "../../server/lib/id";
import { CRON_EVENT } from "./cron-events";
import { parseDueTime } from "./due-time";
import { matchesCondition, readScalar } from "./expression";
import { type FunctionConfig, parseOptionalCondition } from "./function-config";
import { createWaitKey } from "./wait-key";

/** An event that was sent and not yet dispatched. */
export interface QueuedEvent {
  n: string;
  body: { id: string; name: string; data: Record<string, unknown> };
}

/** A run that an event starts. */
export interface RunStart {
  /** Of the event. */
  n: string;
  runId: string;
  functionId: string;
  concurrencyKey: string;
  maxConcurrency: number;
  /** Starts nothing when a run used this key within the last 24 hours. */
  dedupeKey: string | null;
  cancels: { event: string; key: string; expression: string; until: Date | null }[];
}

/** Returns the runs that an event starts. */
export const routeEvent = (configs: Iterable<FunctionConfig>, event: QueuedEvent, now: Date): RunStart[] =>
  [...configs].filter((config) => isTriggered(config, event.body)).map((config) => createStart(config, event, now));

function isTriggered(config: FunctionConfig, event: QueuedEvent["body"]): boolean {
  if (event.name === CRON_EVENT) return config.crons.some(({ expression }) => expression === event.data.cron);
  return config.events.some(({ name, condition }) => name === event.name && matchesCondition(condition, { event }));
}

function createStart(config: FunctionConfig, { n, body }: QueuedEvent, now: Date): RunStart {
  const { id, concurrency, dedupePath, cancels } = config;
  const dedupeValue = dedupePath && readScalar(body, dedupePath);
  const isDeduped = dedupeValue !== null && dedupeValue !== undefined;
  return {
    n,
    runId: newId(),
    functionId: id,
    concurrencyKey: concurrency.path ? shortenKey(readScalar(body, concurrency.path)) : "",
    maxConcurrency: concurrency.max,
    dedupeKey: isDeduped ? `once:${id}:${shortenKey(dedupeValue)}` : null,
    cancels: cancels.flatMap(({ event, expression, timeout }) => {
      const key = createWaitKey(parseOptionalCondition(expression), body);
      const until = timeout === null ? null : parseDueTime(timeout, now);
      return key === null ? [] : [{ event, key, expression, until }];
    }),
  };
}

// Keys stay readable in the tables, but an index bounds their length.
function shortenKey(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= 100 ? text : createHash("sha256").update(text).digest("base64url");
}
