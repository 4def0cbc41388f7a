import type { AppError } from "../../errors";
import { isPromptTooLong } from "../chat";
import { type EventStream, writeEvent } from "../dialects";
import { describeError } from "./describe-error";
import { eventsOfItems, type OutputEvent } from "./item-events";
import type { Json } from "./json";

const beginningsOf = (begun: Json): OutputEvent[] =>
  ["response.created", "response.in_progress"].map((type) => ({ type, response: begun }));

const numberEvents = (events: OutputEvent[]): OutputEvent[] =>
  events.map((event, sequence_number) => ({ ...event, sequence_number }));

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
  const beginnings = () => (next > 0 ? [] : beginningsOf(begun));
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
  return numberEvents([...beginningsOf(begun), ...eventsOfItems(response.output as Json[]), endOf(response)]);
}

/** Returns the events of a response that failed before its chat began. */
export const listFailure = (begun: Json, error: AppError): string =>
  numberEvents([...beginningsOf(begun), failureOf(begun, error, [])])
    .map(formatEvent)
    .join("");

/** Returns the stream of a response that is already whole. */
export const formatWholeResponse = (response: Json): string => listEvents(response).map(formatEvent).join("");
