import autocannon from "autocannon";

export interface Load {
  url: string;
  connections?: number;
  seconds?: number;
  method?: "GET" | "POST";
  /** API keys that every connection uses in turn. */
  keys?: string[];
  /** Paths instead of the URL's, one for each key. */
  paths?: string[];
  /** The only status that is no error; by default every 2xx. */
  status?: number;
  body?: string;
  headers?: Record<string, string>;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Requests one URL for a while. Throws for every response but a success, because an error is fast and would flatter the result. */
export async function generateLoad(load: Load): Promise<Measured> {
  const { url, connections = 16, seconds = 6, status } = load;
  const result = await autocannon({ url, connections, duration: seconds, requests: buildRequests(load) });
  const { statusCodeStats = {} } = result;
  const expected = status === undefined ? result["2xx"] : (statusCodeStats[`${status}`]?.count ?? 0);
  const others = result["2xx"] + result.non2xx - expected;
  if (others || result.errors) throw new Error(`${url}: ${others} unexpected responses, ${result.errors} errors`);
  return { perSecond: expected / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

function buildRequests({ method = "GET", keys = [], paths, body, headers = {} }: Load): autocannon.Request[] {
  if (keys.length === 0) return [{ method, body }];
  const type = body && { "content-type": "application/json" };
  return keys.map((key, n) => ({
    method,
    body,
    headers: { ...headers, authorization: `Bearer ${key}`, ...type },
    ...(paths && { path: paths[n] }),
  }));
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

/** Returns the median of each figure. */
export const medianOf = (rounds: Measured[]): Measured => {
  const median = (figure: keyof Measured) =>
    quantile(
      rounds.map((measured) => measured[figure]),
      0.5,
    );
  return { perSecond: median("perSecond"), p50: median("p50"), p99: median("p99") };
};
