/** The memory that one response uses. */
export interface ArrivalShare {
  /** Resolves as soon as this many more bytes may be held. Rejects with the signal's reason when that aborts before. */
  take(bytes: number, signal: AbortSignal): Promise<void>;
  /** Releases everything. Safe to call twice. */
  release(): void;
}

export interface ArrivalBudget {
  /** Opens an empty share for an owner. */
  open(owner: string): ArrivalShare;
}

interface Holder {
  owner: string;
  held: number;
}

interface Waiter {
  holder: Holder;
  bytes: number;
  admit: () => void;
}

/**
 * Bounds what responses hold in memory while they arrive, in total and for each owner, so that a slow sender takes up only the
 * memory of what it has sent. When the bytes are used up, the waiting response that holds most continues alone beyond the limits
 * to its end, because several halves could otherwise wait for each other. The size of one response has its own bound.
 */
export function createArrivalBudget(limits: { maxBytes: number; maxBytesPerOwner: number }): ArrivalBudget {
  let total = 0;
  let beyond: Holder | null = null;
  const byOwner = new Map<string, number>();
  const waiting = new Set<Waiter>();

  const change = (owner: string, bytes: number) => {
    total += bytes;
    const held = (byOwner.get(owner) ?? 0) + bytes;
    if (held > 0) byOwner.set(owner, held);
    else byOwner.delete(owner);
  };
  /** Takes bytes if that is possible immediately. */
  const tryTake = (holder: Holder, bytes: number): boolean => {
    if (holder === beyond) return true;
    const isWithin = total + bytes <= limits.maxBytes;
    if (!isWithin || (byOwner.get(holder.owner) ?? 0) + bytes > limits.maxBytesPerOwner) return false;
    holder.held += bytes;
    change(holder.owner, bytes);
    return true;
  };
  const admitWaiting = () => {
    for (const waiter of waiting) if (tryTake(waiter.holder, waiter.bytes)) waiter.admit();
    if (beyond !== null || waiting.size === 0) return;
    const [largest] = [...waiting].toSorted((one, other) => other.holder.held - one.holder.held);
    beyond = largest!.holder;
    largest!.admit();
  };
  const waitFor = (holder: Holder, bytes: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(waiter);
        reject(signal.reason as Error);
      };
      const admit = () => {
        waiting.delete(waiter);
        signal.removeEventListener("abort", onAbort);
        resolve();
      };
      const waiter: Waiter = { holder, bytes, admit };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.add(waiter);
      admitWaiting();
    });

  return {
    open(owner) {
      const holder: Holder = { owner, held: 0 };
      return {
        async take(bytes, signal) {
          if (!tryTake(holder, bytes)) await waitFor(holder, bytes, signal);
        },
        release() {
          change(owner, -holder.held);
          holder.held = 0;
          if (beyond === holder) beyond = null;
          admitWaiting();
        },
      };
    },
  };
}
