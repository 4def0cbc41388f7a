import type { EventSink } from "./event-sink";
import type { FeedsHub } from "./hub";
import { formatPosition, type Position } from "./position";
import { type AccountEvent, nextChanges, nextEvents, renderChanges, renderEvents } from "./read-feed";

/** How many events may wait while a reader gets what it missed. */
const MAX_WAITING = 10_000;

/** A reader of an account's stream. */
export interface AccountReader {
  sink: EventSink;
  position: Position;
  withWebhooks: boolean;
  /** Events that arrived while it is catching up; null once it has caught up. */
  waiting: AccountEvent[] | null;
}

/** Sends a reader what it missed until `end`, at its own pace, and then what has arrived meanwhile. Never rejects. */
export async function catchUp(hub: FeedsHub, accountId: number, reader: AccountReader, end: Position): Promise<void> {
  try {
    await sendMissed(hub, accountId, reader, end);
  } catch (error) {
    hub.log.debug({ err: error as Error }, "a stream was not resumed");
    reader.sink.end();
  }
}

async function sendMissed(hub: FeedsHub, accountId: number, reader: AccountReader, end: Position): Promise<void> {
  const { from, to, n, event } = reader.position;
  const ranges = [
    { from, to, after: n },
    { from: to, to: end.from, after: 0n },
  ];
  for (const range of ranges.filter((each) => each.from < each.to))
    for await (const page of nextChanges(hub, range, [accountId]))
      for (const missed of await renderChanges(hub, page)) await sendPaced(hub, reader, missed.event);
  reader.position = { ...reader.position, from: end.from, to: end.from, n: 0n };
  if (reader.withWebhooks && event < end.event)
    for await (const rows of nextEvents(hub, [{ id: accountId, after: event / 2n }], end.event / 2n))
      for (const { events } of await renderEvents(hub, rows))
        for (const each of events) await sendPaced(hub, reader, each);
  const waiting = reader.waiting!;
  reader.waiting = null;
  for (const each of waiting) deliver(hub, reader, each);
}

async function sendPaced(hub: FeedsHub, reader: AccountReader, event: AccountEvent): Promise<void> {
  await reader.sink.drained();
  send(hub, reader, event);
}

/** Sends an event to a reader; one that is catching up gets it afterwards. */
export function deliver(hub: FeedsHub, reader: AccountReader, event: AccountEvent): void {
  if (!reader.waiting) send(hub, reader, event);
  else if (reader.waiting.push(event) > MAX_WAITING) reader.sink.end();
}

function send(hub: FeedsHub, reader: AccountReader, { advance, body }: AccountEvent): void {
  // A reader that resumes may already have events that this process has read only now.
  if (advance.event !== undefined && advance.event <= reader.position.event) return;
  reader.position = { ...reader.position, ...advance, at: hub.now().getTime() };
  reader.sink.send(formatPosition(reader.position), body);
}
