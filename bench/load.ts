import autocannon from "autocannon";

export interface Load {
  url: string;
  connections?: number;
  seconds?: number;
  method?: "GET" | "POST";
  /** API keys that every connection uses in turn. */
  keys?: string[];
  body?: string;
  headers?: Record<string, string>;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Requests one URL for a while. Throws unless every response is a 2xx, because an error is fast and would flatter the result. */
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
  if (result.non2xx || result.errors)
    throw new Error(`${url}: ${result.non2xx} responses other than 2xx, ${result.errors} errors`);
  return { perSecond: result["2xx"] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Calls `work` over and over for `seconds`, `connections` at a time. */
export async function measureLoad(
  work: () => Promise<unknown>,
  { connections = 16, seconds = 6 } = {},
): Promise<Measured> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  const runWorker = async () => {
    while (performance.now() < deadline) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: connections }, runWorker));
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}
