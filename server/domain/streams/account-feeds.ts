import { watchChanges } from "../generations/changes";
import { catchUp, deliver, type AccountReader } from "./account-reader";
import { followLogs } from "./change-log";
import type { FeedsHub } from "./hub";
import { invalidPosition, type Position } from "./position";
import { type LogCursor, nextChanges, nextEvents, renderChanges, renderEvents, startOfLog } from "./read-feed";
import { createTicker } from "./ticker";

/** How often the feeds are read, in case a notice was lost; chats send none. */
const POLL_INTERVAL_MS = 1_000;
/** How long a notice waits for others. */
const HINT_MS = 30;
const RENEWAL_INTERVAL_MS = 3_600_000;

/** An account that somebody follows. */
interface Feed {
  readers: Set<AccountReader>;
  /** The number of the last event that was sent to readers that want webhooks. */
  event: bigint;
}

/** Where a reader begins. */
interface Start {
  /** What a reader that resumes has received; null for one that begins now. */
  position: Position | null;
  /** The number of the account's newest event. */
  event: bigint;
}

/** The accounts that readers of this process follow. */
export interface AccountFeeds {
  /**
   * Sends what happens in an account from now on, and before that what happened since the position of a reader that resumes.
   * Returns how to stop. Throws 400 for a position of another database.
   */
  follow(accountId: number, reader: AccountReader, start: Start): Promise<() => void>;
}

/**
 * Returns the feeds of a process. One statement reads the changes of all followed accounts since the last time, another one
 * their events, and a third the records of what has changed. Readers join between reads, so that they miss nothing.
 */
export function createAccountFeeds(hub: FeedsHub): AccountFeeds {
  const feeds = new Map<number, Feed>();
  const joins = new Set<() => void>();
  const state: FeedState = { feeds, cursor: startOfLog, eventsReadAt: -Infinity };
  let renewedAt = -Infinity;
  let stopWatching: (() => void) | undefined;
  let hint: NodeJS.Timeout | undefined;

  const renew = async () => {
    const now = performance.now();
    if (feeds.size === 0 || now - renewedAt < RENEWAL_INTERVAL_MS) return;
    await followLogs(hub, [...feeds.keys()]);
    renewedAt = now;
  };
  const ticker = createTicker({
    intervalMs: POLL_INTERVAL_MS,
    isIdle: () => feeds.size === 0,
    async work() {
      await sendEvents(hub, state, await sendChanges(hub, state));
      await renew();
      for (const join of joins) join();
      joins.clear();
    },
    onError: (error) => hub.log.debug({ err: error as Error }, "changes of accounts not read"),
  });
  const onChanges = () => {
    if (feeds.size === 0) return;
    const tick = () => {
      hint = undefined;
      ticker.hint();
    };
    hint ??= setTimeout(tick, HINT_MS).unref();
  };

  /** Returns how to stop; null for a position of another database. */
  const add = (accountId: number, reader: AccountReader, { position, event }: Start): (() => void) | null => {
    const below = state.cursor.from!;
    if (position && position.to > below) return null;
    const feed = feeds.get(accountId) ?? { readers: new Set(), event };
    if (!wantWebhooks(feed.readers)) feed.event = event;
    const end = { from: below, to: below, n: 0n, event: 2n * feed.event, at: 0 };
    reader.position = position ?? end;
    feed.readers.add(reader);
    feeds.set(accountId, feed);
    ticker.start();
    void catchUp(hub, accountId, reader, end);
    return () => {
      feed.readers.delete(reader);
      if (feed.readers.size === 0 && feeds.get(accountId) === feed) feeds.delete(accountId);
    };
  };

  return {
    async follow(accountId, reader, start) {
      stopWatching ??= watchChanges(hub, onChanges);
      const joined: { stop: (() => void) | null } = { stop: null };
      const join = () => void (joined.stop = add(accountId, reader, start));
      joins.add(join);
      try {
        await ticker.tick();
      } finally {
        joins.delete(join);
      }
      if (!joined.stop) throw invalidPosition();
      return joined.stop;
    },
  };
}

/** What the feeds of a process have read. */
interface FeedState {
  feeds: Map<number, Feed>;
  cursor: LogCursor;
  /** When the events of all accounts were read, by `performance.now()`. */
  eventsReadAt: number;
}

/** Sends the changes that were logged since the last time. Returns the accounts that have any. */
async function sendChanges(hub: FeedsHub, state: FeedState): Promise<Set<number>> {
  const { feeds } = state;
  const changed = new Set<number>();
  // Readers join after this, so nobody needs what has happened until now.
  if (feeds.size === 0) state.cursor = startOfLog;
  for await (const page of nextChanges(hub, state.cursor, [...feeds.keys()])) {
    for (const { accountId, event } of await renderChanges(hub, page)) {
      changed.add(accountId);
      for (const reader of feeds.get(accountId)?.readers ?? []) deliver(hub, reader, event);
    }
    state.cursor = page.next;
  }
  return changed;
}

/** Sends the new events of accounts that have changes, and once a second those of all. */
async function sendEvents(hub: FeedsHub, state: FeedState, changed: Set<number>): Promise<void> {
  const { feeds } = state;
  const isDue = performance.now() - state.eventsReadAt > POLL_INTERVAL_MS / 2;
  if (isDue) state.eventsReadAt = performance.now();
  const accounts = [...feeds]
    .filter(([id, { readers }]) => (isDue || changed.has(id)) && wantWebhooks(readers))
    .map(([id, { event }]) => ({ id, after: event }));
  for await (const rows of nextEvents(hub, accounts))
    for (const { accountId, n, events } of await renderEvents(hub, rows)) {
      const feed = feeds.get(accountId);
      if (!feed) continue;
      feed.event = n;
      for (const reader of feed.readers)
        if (reader.withWebhooks) for (const event of events) deliver(hub, reader, event);
    }
}

const wantWebhooks = (readers: Set<AccountReader>): boolean => [...readers].some(({ withWebhooks }) => withWebhooks);
