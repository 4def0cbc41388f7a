import { StorageUnavailable } from "./storage";

/** How long a storage counts as reachable, and how long as unreachable, until the next probe. */
const TRUST_MS = 10_000;
const RECHECK_MS = 1_000;

interface Reachability {
  /** Records the result of a write. */
  record(isReached: boolean): void;
  /** Throws StorageUnavailable while the storage is known to be unreachable. A probe that is due runs in the background. */
  check(): void;
}

/**
 * Remembers whether a storage can be reached, as its last write or probe showed. `probe` rejects when it cannot be. While
 * it is away, the probe has to store something, because a proxy may respond to anything else.
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
