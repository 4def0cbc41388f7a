import { memoizePer } from "../../lib/memoize-per";
import type { OperationsHub } from "./hub";

/** How long a reading is shown again. Several scrapers cost no more than one. */
const CACHE_MS = 5_000;

/** Returns a function that reads again five seconds after the last time, or after an error. */
export const cacheReading = <T>(read: (hub: OperationsHub) => Promise<T>) =>
  memoizePer((hub: OperationsHub) => {
    let readAt = -Infinity;
    let reading: Promise<T> | undefined;
    return () => {
      const now = performance.now();
      if (reading && now - readAt < CACHE_MS) return reading;
      readAt = now;
      reading = read(hub);
      reading.catch(() => (readAt = -Infinity));
      return reading;
    };
  });
