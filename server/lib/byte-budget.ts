import { AppError } from "../errors";

/** Reserved bytes. */
export interface Reservation {
  /** Reserves this many more bytes; returns false, and reserves nothing, when that would exceed the owner's share. */
  add(bytes: number): boolean;
  /** Releases everything. Safe to call twice. */
  release(): void;
}

export interface ByteBudget {
  /** Opens an empty reservation for an owner. */
  open(owner: string | number): Reservation;
}

const MEBIBYTE = 1024 ** 2;
/**
 * A body takes up to four times its size until it is answered, and a heap of a gigabyte must hold all of them.
 * Unauthenticated callers have a separate budget.
 */
export const BODY_LIMITS = { known: 128 * MEBIBYTE, anonymous: 16 * MEBIBYTE };

/**
 * Bounds what all requests under way hold in memory together. An owner may hold as much as stays free: half of the
 * budget if it is the only one, a third beside another one, so that there is always room for the next owner.
 */
export function createByteBudget(maxBytes: number): ByteBudget {
  let total = 0;
  const byOwner = new Map<string | number, number>();

  const change = (owner: string | number, bytes: number) => {
    total += bytes;
    const held = (byOwner.get(owner) ?? 0) + bytes;
    if (held > 0) byOwner.set(owner, held);
    else byOwner.delete(owner);
  };

  return {
    open(owner) {
      let held = 0;
      return {
        add(bytes) {
          if ((byOwner.get(owner) ?? 0) + bytes > maxBytes - total - bytes) return false;
          held += bytes;
          change(owner, bytes);
          return true;
        },
        release() {
          if (held > 0) change(owner, -held);
          held = 0;
        },
      };
    },
  };
}

/** Returns the 503 for a request that would exceed the budget. */
export const budgetExceeded = (): AppError =>
  new AppError(
    "service_unavailable",
    "The hub is busy with too many large requests. Try again soon.",
    {},
    { "Retry-After": "1" },
  );
