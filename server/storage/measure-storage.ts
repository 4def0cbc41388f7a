import type { HubMetrics } from "../lib/metrics/hub-metrics";
import { isStorageUnavailable } from "../lib/is-unavailable";
import { runInSpan, type Tracing } from "../lib/tracing/tracing";
import type { DirectAccess, Storage } from "./storage";

type Measure = <T>(verb: string, work: () => Promise<T>) => Promise<T>;

/** Wraps a storage to measure each access, in a span if traces are on. */
export function measureStorage(storage: Storage, metrics: HubMetrics, tracing: Tracing | null): Storage {
  const countError = (verb: string, error: unknown): never => {
    // The sender of an upload that breaks off or is too large is not the storage's error.
    if (isStorageUnavailable(error)) metrics.storageErrors.add({ verb });
    throw error;
  };
  const measure: Measure = async (verb, work) => {
    const startedAt = performance.now();
    try {
      return await runInSpan(tracing, () => ({ name: `storage ${verb}` }), work).catch((error: unknown) =>
        countError(verb, error),
      );
    } finally {
      metrics.storage.observe({ verb }, (performance.now() - startedAt) / 1000);
    }
  };
  return {
    put: (key, content, limit) => measure("put", () => storage.put(key, content, limit)),
    open: (key, range, size) => measure("open", () => storage.open(key, range, size)),
    describe: (key) => measure("describe", () => storage.describe(key)),
    remove: (key) => measure("remove", () => storage.remove(key)),
    sweep: (before) => storage.sweep(before),
    checkRoom: () => storage.checkRoom().catch((error: unknown) => countError("checkRoom", error)),
    check: () => storage.check(),
    direct: storage.direct && measureDirect(storage.direct, measure),
  };
}

/** Measures requests to the bucket; signatures need none. */
const measureDirect = (direct: DirectAccess, measure: Measure): DirectAccess => ({
  signUpload: (id, content, seconds) => direct.signUpload(id, content, seconds),
  signDownload: (key, headers, seconds) => direct.signDownload(key, headers, seconds),
  measureStaged: (id) => measure("describe", () => direct.measureStaged(id)),
  publish: (id, key) => measure("publish", () => direct.publish(id, key)),
  removeStaged: (id) => measure("remove", () => direct.removeStaged(id)),
});
