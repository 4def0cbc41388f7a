import type { AppError } from "../../errors";
import { type EventStream, writeEvent } from "../dialects";
import { describeError } from "./describe-error";
import { eventsOfItems, type OutputEvent } from "./item-events";
import type { Json } from "./json";

/** Returns the event that ends a response. */
export const endOf = (response: Json): OutputEvent => ({
  type: response.status === "completed" ? "response.completed" : "response.incomplete",
  response,
});

/** Numbers events without gaps and sends them, after those that begin the response. */
export function createEventSender(stream: EventStream, begun: Json) {
  let next = 0;
  const number = (event: OutputEvent) => ({ ...event, sequence_number: next++ });
  const beginnings = (): OutputEvent[] =>
    next > 0
      ? []
      : [
          { type: "response.created", response: begun },
          { type: "response.in_progress", response: begun },
        ];
  return {
    async send(events: OutputEvent[], signal: AbortSignal): Promise<void> {
      for (const event of [...beginnings(), ...events]) await stream.send(number(event), signal, event.type);
    },
    end(events: OutputEvent[]): void {
      stream.end([...beginnings(), ...events].map((event) => formatEvent(number(event))).join(""));
    },
    fail(error: AppError, output: Json[]): void {
      const described = describeError(error);
      const failed = { ...begun, status: "failed", error: described, output };
      const last =
        next > 0 ? { type: "response.failed", response: failed } : { ...described, type: "error", param: null };
      stream.end(formatEvent(number(last)));
    },
  };
}

const formatEvent = (event: OutputEvent): string => writeEvent(event, event.type);

/** Returns the events of a whole response, numbered from 0. */
export function listEvents(response: Json): OutputEvent[] {
  const begun = { ...response, status: "in_progress", completed_at: null, output: [], usage: null };
  return [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...eventsOfItems(response.output as Json[]),
    endOf(response),
  ].map((event, number) => ({ ...event, sequence_number: number }));
}

/** Sends a response that is already whole as a stream. */
export const sendWhole = (response: Json, stream: EventStream): void =>
  stream.end(listEvents(response).map(formatEvent).join(""));
