import { StorageUnavailable } from "./storage";

/** How long a storage that was reached counts as reachable without a probe, and one that was not as away. */
const TRUST_MS = 10_000;
const RECHECK_MS = 1_000;

export interface Reachability {
  /** Records the result of a write. */
  record(isReached: boolean): void;
  /** Throws StorageUnavailable while the storage is known to be away. Never waits: a probe that is due runs meanwhile. */
  check(): void;
}

/**
 * Remembers whether a storage can be reached, as its last write or probe showed. `probe` rejects when it cannot be; one
 * that is known to be away has to store something for it, because a proxy may respond to anything else.
 */
export function createReachability(probe: (isAway: boolean) => Promise<unknown>): Reachability {
  let isAway = false;
  let knownAt = -Infinity;
  let isProbing = false;

  const record = (isReached: boolean) => {
    isAway = !isReached;
    knownAt = performance.now();
  };
  const startProbe = async () => {
    isProbing = true;
    record(
      await probe(isAway).then(
        () => true,
        () => false,
      ),
    );
    isProbing = false;
  };
  return {
    record,
    check() {
      const isOld = performance.now() - knownAt > (isAway ? RECHECK_MS : TRUST_MS);
      if (isOld && !isProbing) void startProbe();
      if (isAway) throw new StorageUnavailable("The storage does not respond.");
    },
  };
}
