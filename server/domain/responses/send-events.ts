import type { AppError } from "../../errors";
import { isPromptTooLong } from "../chat";
import { type EventStream, writeEvent } from "../dialects";
import { describeError } from "./describe-error";
import { eventsOfItems, type OutputEvent } from "./item-events";
import type { Json } from "./json";

const failureOf = (begun: Json, error: AppError, output: Json[]): OutputEvent => ({
  type: "response.failed",
  response: { ...begun, status: "failed", error: describeError(error), output },
});

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
  const end = (events: OutputEvent[]): void =>
    stream.end([...beginnings(), ...events].map((event) => formatEvent(number(event))).join(""));
  return {
    async send(events: OutputEvent[], signal: AbortSignal): Promise<void> {
      for (const event of [...beginnings(), ...events]) await stream.send(number(event), signal, event.type);
    },
    end,
    fail(error: AppError, output: Json[]): void {
      if (next > 0 || isPromptTooLong(error)) end([failureOf(begun, error, output)]);
      else stream.end(formatEvent(number({ ...describeError(error), type: "error", param: null })));
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

/** Returns the events of a response that failed before its chat began. */
export const listFailure = (begun: Json, error: AppError): string =>
  [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    failureOf(begun, error, []),
  ]
    .map((event, sequence_number) => formatEvent({ ...event, sequence_number }))
    .join("");

/** Sends a response that is already whole as a stream. */
export const sendWhole = (response: Json, stream: EventStream): void =>
  stream.end(listEvents(response).map(formatEvent).join(""));
