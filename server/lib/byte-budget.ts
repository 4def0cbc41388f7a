import { AppError } from "../errors";

/** Bytes that were reserved, and how to give them back. */
export interface Reservation {
  /** Reserves so many bytes more; false, and nothing is reserved, when that would exceed the budget. */
  add(bytes: number): boolean;
  /** Gives everything back. Safe to call twice. */
  release(): void;
}

export interface ByteBudget {
  /** Opens a reservation of nothing for its owner. */
  open(owner: string | number): Reservation;
}

const MEBIBYTE = 1024 ** 2;
/** A body takes up to four times its size until it is answered, and a heap of a gigabyte must hold all of them. */
export const BODY_LIMITS = { maxBytes: 128 * MEBIBYTE, maxBytesPerOwner: 64 * MEBIBYTE };

/** Bounds what all requests under way hold in memory together, and what one owner may hold of it. */
export function createByteBudget(limits: { maxBytes: number; maxBytesPerOwner: number }): ByteBudget {
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
          if (total + bytes > limits.maxBytes) return false;
          if ((byOwner.get(owner) ?? 0) + bytes > limits.maxBytesPerOwner) return false;
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
    "The hub holds too many large requests. Try again soon.",
    {},
    { "Retry-After": "1" },
  );
