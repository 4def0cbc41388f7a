import { buildEnvelope, renderEvent } from "../envelopes";
import { encodeEvent } from "./event-sink";
import { type FeedEvent, type LoggedChange, readChanges, readEvents } from "./change-log";
import type { FeedsHub } from "./hub";
import type { Position } from "./position";
import { readGenerations } from "./read-generations";
import { renderGeneration } from "./render-generation";
import { generationAt } from "./step";

const PAGE = 500;
const EVENTS_PAGE = 100;
const BEYOND_ALL = 2n ** 63n - 1n;

/** An event of an account's stream, and how it advances the reader's position. */
export interface AccountEvent {
  advance: Partial<Position>;
  body: Uint8Array;
}

/** The part of the log that is read next: changes by transactions from `from` to below `to`, with numbers above `after`. */
export interface LogCursor {
  /** Null to begin with the changes that are not committed yet. */
  from: bigint | null;
  /** Null for all that is committed. */
  to: bigint | null;
  after: bigint;
}

export const startOfLog: LogCursor = { from: null, to: null, after: 0n };

/** A page of the log, the range that it is part of, and where the next one begins. */
interface LogPage {
  changes: LoggedChange[];
  from: bigint;
  to: bigint;
  next: LogCursor;
}

/** Yields the changes of accounts from a cursor to the end of its range, page by page. */
export async function* nextChanges(hub: FeedsHub, start: LogCursor, accounts: number[]): AsyncGenerator<LogPage> {
  let { to, after } = start;
  for (;;) {
    const from = start.from ?? BEYOND_ALL;
    const { bound, changes } = await readChanges(hub, { from, to, after, accounts, limit: PAGE });
    const last = changes.length < PAGE ? null : changes.at(-1)!.n;
    const next = last === null ? { from: bound, to: null, after: 0n } : { from: start.from, to: bound, after: last };
    yield { changes, from, to: bound, next };
    if (last === null) return;
    to = bound;
    after = last;
  }
}

/** Returns the events of a page of changes, in their order. */
export async function renderChanges(
  hub: FeedsHub,
  { changes, from, to }: LogPage,
): Promise<{ accountId: number; event: AccountEvent }[]> {
  const bodies = new Map<LoggedChange, Uint8Array>();
  const ids = new Set(changes.map(({ generation_id }) => generation_id));
  for await (const rows of readGenerations(hub, [...ids])) {
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const change of changes) {
      const row = byId.get(change.generation_id);
      if (row) bodies.set(change, renderGeneration(hub, generationAt(row, change.step)));
    }
  }
  return changes.flatMap((change) => {
    const body = bodies.get(change);
    return body ? [{ accountId: change.account_id, event: { advance: { from, to, n: change.n }, body } }] : [];
  });
}

/** Yields the events of accounts after these numbers, page by page, up to the number `last`. */
export async function* nextEvents(
  hub: FeedsHub,
  accounts: { id: number; after: bigint }[],
  last: bigint = BEYOND_ALL,
): AsyncGenerator<FeedEvent[]> {
  let remaining = accounts;
  while (remaining.length > 0) {
    const rows = (await readEvents(hub, remaining, EVENTS_PAGE)).filter(({ n }) => n <= last);
    yield rows;
    remaining = remaining.flatMap(({ id }) => {
      const own = rows.filter(({ account_id }) => account_id === id);
      return own.length === EVENTS_PAGE ? [{ id, after: own.at(-1)!.n }] : [];
    });
  }
}

/**
 * Returns the stream's events for each row: its envelope and, before it, the record of a chat, because chats are in no
 * change log. The position counts two for each row, so that a reader can have the record without the envelope.
 */
export const renderEvents = (
  hub: FeedsHub,
  rows: FeedEvent[],
): Promise<{ accountId: number; n: bigint; events: AccountEvent[] }[]> =>
  Promise.all(
    rows.map(async (row) => {
      const data = await renderEvent(hub, row);
      const events = [
        { advance: { event: 2n * row.n }, body: encodeEvent("webhook", buildEnvelope(row.id, row, data)) },
      ];
      const { is_llm: isChat } = JSON.parse(data) as { is_llm: boolean };
      if (isChat) events.unshift({ advance: { event: 2n * row.n - 1n }, body: encodeEvent("generation", data) });
      return { accountId: row.account_id, n: row.n, events };
    }),
  );
