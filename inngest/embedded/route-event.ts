import { createHash } from "node:crypto";
import { newId } from "../../server/lib/id";
import { CRON_EVENT } from "./cron-events";
import { dueAt } from "./due";
import { holds, scalarAt } from "./expression";
import { condition, type FunctionConfig } from "./function-config";
import { waitKey } from "./wait-key";

/** An event that was sent and not yet routed. */
export interface QueuedEvent {
  n: string;
  body: { id: string; name: string; data: Record<string, unknown> };
}

export interface Start {
  n: string;
  run: string;
  function_id: string;
  lane: string;
  most: number;
  /** Starts nothing if it was used within a day. */
  once: string | null;
  cancels: { event: string; key: string; expression: string; until: Date | null }[];
}

/** The runs that an event starts. */
export const routeEvent = (plans: Iterable<FunctionConfig>, letter: QueuedEvent, now: Date): Start[] =>
  [...plans].filter((plan) => triggers(plan, letter.body)).map((plan) => start(plan, letter, now));

function triggers(plan: FunctionConfig, event: QueuedEvent["body"]): boolean {
  if (event.name === CRON_EVENT) return plan.crons.some(({ expression }) => expression === event.data.cron);
  return plan.events.some(({ name, condition }) => name === event.name && holds(condition, { event }));
}

function start({ id, lane, once, cancels }: FunctionConfig, { n, body }: QueuedEvent, now: Date): Start {
  const single = once && scalarAt(body, once);
  return {
    n,
    run: newId(),
    function_id: id,
    lane: lane.path ? short(scalarAt(body, lane.path)) : "",
    most: lane.most,
    once: single === null || single === undefined ? null : `once:${id}:${short(single)}`,
    cancels: cancels.flatMap(({ event, expression, timeout }) => {
      const key = waitKey(condition(expression), body);
      return key === null ? [] : [{ event, key, expression, until: timeout === null ? null : dueAt(timeout, now) }];
    }),
  };
}

// Operators read it in tables, and indexes bound its length.
function short(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length <= 100 ? text : createHash("sha256").update(text).digest("base64url");
}
