import { invalidInput } from "../../errors";

/** How long after it was sent a position can be resumed. */
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_NUMBER = 2n ** 63n - 1n;

/**
 * What the reader of an account's stream has received. Rows do not commit in the order of their numbers, so a position also
 * has numbers of transactions.
 */
export interface Position {
  /** Every change by a transaction below this number. */
  from: bigint;
  /** Twice the number of its last event; one less if the reader has only the record before the envelope. */
  to: bigint;
  n: bigint;
  /** The number of its last event. */
  event: bigint;
  /** When it was sent, in milliseconds. */
  at: number;
}

/** Returns the id of an event that stands for a position. */
export const formatPosition = ({ from, to, n, event, at }: Position): string => [from, to, n, event, at].join("-");

/** Returns the position of a `Last-Event-ID`. Throws 400 for any other text and for one that is too old. */
export function parsePosition(id: string, now: Date): Position {
  const parts = /^\d{1,19}(?:-\d{1,19}){4}$/.test(id) ? id.split("-").map(BigInt) : [];
  const [from, to, n, event, at] = parts;
  if (at === undefined || parts.some((part) => part > MAX_NUMBER)) throw invalidPosition();
  if (now.getTime() - Number(at) > MAX_AGE_MS) throw invalidPosition();
  return { from: from!, to: to!, n: n!, event: event!, at: Number(at) };
}

/** Returns the 400 for a position that cannot be resumed. */
export const invalidPosition = () =>
  invalidInput("Last-Event-ID", "must be the id of an event that this stream sent within a day; omit it to start now");
