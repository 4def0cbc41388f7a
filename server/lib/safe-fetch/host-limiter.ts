import { createConcurrencyLimit, type ConcurrencyLimit } from "../concurrency-limit";

/** Bounds what is under way at once: in all, and towards one host, so that a slow one cannot take every place. */
export function createHostLimiter({ maxConcurrent, maxPerHost }: { maxConcurrent: number; maxPerHost: number }) {
  const all = createConcurrencyLimit(maxConcurrent);
  const hosts = new Map<string, ConcurrencyLimit>();

  return async <T>(host: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const limit = hosts.get(host) ?? createConcurrencyLimit(maxPerHost);
    hosts.set(host, limit);
    try {
      return await limit.run(() => all.run(work, signal), signal);
    } finally {
      if (limit.idle) hosts.delete(host);
    }
  };
}
