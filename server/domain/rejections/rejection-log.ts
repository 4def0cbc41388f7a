import type { HubParts } from "../../context";
import { newId } from "../../lib/id";
import { insertRejections, MAX_STORED_PER_MINUTE } from "./insert-rejections";

const FLUSH_DELAY_MS = 1_000;
const MINUTE_MS = 60_000;
const MAX_WAITING = 1_000;
const MAX_COUNTERS = 10_000;
const MAX_PATH_LENGTH = 300;
const MAX_MESSAGE_LENGTH = 500;

/** A request that was answered with an error, as the edge reports it. */
export interface Rejection {
  accountId: number;
  keyId: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  code: string;
  message: string;
}

/** How many requests of an account were rejected in one minute. */
interface Counter {
  accountId: number;
  minute: number;
  /** Those that this process has kept for the database. */
  kept: number;
  /** Since the last write. */
  offered: number;
  dropped: number;
}

export interface RejectionLog {
  /** Keeps a rejected request for the next write. Never throws and never waits. */
  record: (rejection: Rejection) => void;
  /** Writes what was recorded. Never throws. */
  flush: () => Promise<void>;
}

/** What the requests of one process share of rejections. */
export interface RejectionServices {
  /** Records REST requests that were answered with an error. */
  rejectionLog: RejectionLog;
}

type LogParts = Pick<HubParts, "db" | "log" | "now">;

/** Returns the services of rejections. */
export const createRejectionServices = (hub: LogParts): RejectionServices => ({
  rejectionLog: createRejectionLog(hub),
});

/**
 * Returns the log of rejected requests of a process. It writes once a second at most, apart from requests, and keeps a
 * bounded number of rows for each account and minute; the others are counted.
 */
function createRejectionLog(hub: LogParts): RejectionLog {
  const counters = new Map<string, Counter>();
  let waiting: ReturnType<typeof toRow>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const record = (rejection: Rejection) => {
    const now = hub.now();
    const counter = findCounter(counters, rejection.accountId, now);
    if (!counter) return;
    if (counter.kept < MAX_STORED_PER_MINUTE && waiting.length < MAX_WAITING) {
      counter.kept += 1;
      counter.offered += 1;
      waiting.push(toRow(rejection, now, counter.minute));
    } else counter.dropped += 1;
    timer ??= setTimeout(() => void flush(), FLUSH_DELAY_MS).unref();
  };

  const write = async () => {
    const rows = waiting;
    const counts = takeCounts(counters, hub.now());
    waiting = [];
    if (counts.length === 0) return;
    await insertRejections(hub.db, JSON.stringify(rows), JSON.stringify(counts)).catch((error: unknown) =>
      hub.log.warn({ err: error, rows: rows.length }, "rejected requests could not be stored"),
    );
  };

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    return (writing = writing.then(write));
  };
  return { record, flush };
}

/** Returns the counter of an account's minute; null when too many accounts have one. */
function findCounter(counters: Map<string, Counter>, accountId: number, now: Date): Counter | null {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const name = `${accountId} ${minute}`;
  const known = counters.get(name);
  if (known) return known;
  if (counters.size >= MAX_COUNTERS) return null;
  const counter = { accountId, minute, kept: 0, offered: 0, dropped: 0 };
  counters.set(name, counter);
  return counter;
}

/** Returns the counts since the last write and forgets the counters of past minutes. */
function takeCounts(counters: Map<string, Counter>, now: Date) {
  const counts = [];
  for (const [name, counter] of counters) {
    const { accountId, minute, offered, dropped } = counter;
    if (offered + dropped > 0) counts.push({ account_id: accountId, minute: new Date(minute), offered, dropped });
    if (minute + MINUTE_MS <= now.getTime()) counters.delete(name);
    else Object.assign(counter, { offered: 0, dropped: 0 });
  }
  return counts;
}

const toRow = ({ accountId, keyId, requestId, path, message, ...rest }: Rejection, now: Date, minute: number) => ({
  ...rest,
  id: newId(),
  account_id: accountId,
  key_id: keyId,
  created_at: now,
  minute: new Date(minute),
  request_id: requestId,
  path: toStorable(path, MAX_PATH_LENGTH),
  message: toStorable(message, MAX_MESSAGE_LENGTH),
});

// A message may quote what the client sent.
const toStorable = (text: string, maxLength: number) => text.slice(0, maxLength).replaceAll("\0", "").toWellFormed();
