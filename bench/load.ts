import autocannon from "autocannon";

export interface Load {
  url: string;
  connections?: number;
  seconds?: number;
  method?: "GET" | "POST";
  /** Taken in turn by every connection. */
  keys?: string[];
  body?: string;
  headers?: Record<string, string>;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Presses one address for a while. Throws when any answer is not a 2xx: a refusal is fast, and says nothing. */
export async function generateLoad({
  url,
  connections = 16,
  seconds = 6,
  method = "GET",
  keys = [],
  body,
  headers = {},
}: Load): Promise<Measured> {
  const headersOf = (key: string) => ({
    ...headers,
    authorization: `Bearer ${key}`,
    ...(body && { "content-type": "application/json" }),
  });
  const requests = keys.length ? keys.map((key) => ({ method, body, headers: headersOf(key) })) : [{ method, body }];
  const result = await autocannon({ url, connections, duration: seconds, requests });
  if (result.non2xx || result.errors) throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return { perSecond: result["2xx"] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Calls `work` over and over for `seconds`, `connections` at a time. */
export async function measureLoad(
  work: () => Promise<unknown>,
  { connections = 16, seconds = 6 } = {},
): Promise<Measured> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  const side = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, side));
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}
