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
  /** The only status that is not an error; by default every 2xx. */
  status?: number;
  body?: string;
  headers?: Record<string, string>;
}

export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

/**
 * Requests one URL for a while. Throws for any response that is not a success, because errors are fast and would
 * flatter the result.
 */
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

/** Alternates between several loads, so that other work on the machine slows down all of them, and returns their rounds. */
export async function interleaveLoads<K extends string>(
  loads: Record<K, Load>,
  { rounds, warmUpSeconds }: { rounds: number; warmUpSeconds: number },
): Promise<Rounds<K>> {
  const entries = Object.entries<Load>(loads) as [K, Load][];
  const measured = new Map<K, Measured[]>(entries.map(([name]) => [name, []]));
  for (const [name, load] of entries)
    await generateLoad({ ...load, seconds: warmUpSeconds }).catch((error: unknown) => {
      throw new Error(`The warm-up of "${name}" failed`, { cause: error });
    });
  for (let round = 0; round < rounds; round += 1)
    for (const [name, load] of entries) measured.get(name)!.push(await generateLoad(load));
  return {
    medians: entries.map(([name]) => [name, medianOf(measured.get(name)!)]),
    ratio: (...compared) => median(ratiosOf(measured, ...compared)),
    interval: (...compared) => meanInterval(ratiosOf(measured, ...compared)),
  };
}

export interface Rounds<K extends string> {
  medians: [K, Measured][];
  /** Returns the median, over the rounds, of a figure of one load divided by that of another. */
  ratio: (figure: keyof Measured, name: K, to: K) => number;
  /** Returns the 95 % interval of the geometric mean of that ratio. */
  interval: (figure: keyof Measured, name: K, to: K) => [low: number, high: number];
}

const ratiosOf = <K>(rounds: Map<K, Measured[]>, figure: keyof Measured, name: K, to: K): number[] =>
  rounds.get(name)!.map((one, round) => one[figure] / rounds.get(to)![round]![figure]);

/** Returns the 95 % interval of the geometric mean of at least ten values. */
function meanInterval(values: number[]): [low: number, high: number] {
  const logs = values.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / (logs.length - 1);
  const half = 2.2 * Math.sqrt(variance / logs.length);
  return [Math.exp(mean - half), Math.exp(mean + half)];
}

/** Returns the median of each figure. */
function medianOf(rounds: Measured[]): Measured {
  const of = (figure: keyof Measured) => median(rounds.map((measured) => measured[figure]));
  return { perSecond: of("perSecond"), p50: of("p50"), p99: of("p99") };
}

/** Calls `work` over and over for `seconds`, `connections` at a time. */
export async function measureLoad(
  work: () => Promise<unknown>,
  { connections = 16, seconds = 6 } = {},
): Promise<Measured> {
  const times: number[] = [];
  const deadline = performance.now() + seconds * 1000;
  await runConcurrently(connections, async () => {
    while (performance.now() < deadline) times.push((await timeOnce(work)).ms);
  });
  return { perSecond: times.length / seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}

export const runConcurrently = (count: number, work: () => Promise<void>): Promise<void[]> =>
  Promise.all(Array.from({ length: count }, work));

/** Calls `work` and returns its result and how long it took. */
export async function timeOnce<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

/** Returns the milliseconds of each of `count` calls, one after another. */
export async function timeRepeatedly(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  while (times.length < count) times.push((await timeOnce(work)).ms);
  return times;
}

export function quantile(values: number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? NaN;
}

export const median = (values: number[]): number => quantile(values, 0.5);
