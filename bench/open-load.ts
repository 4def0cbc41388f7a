import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { quantile } from "./load";

interface OpenLoad {
  url: string;
  body: string;
  /** API keys that requests use in turn. */
  keys: string[];
  perSecond: number;
  seconds: number;
}

/** How the requests of an open load ended; times in milliseconds from when each was due. */
export interface OpenMeasured {
  accepted: number[];
  shed: number[];
  /** Neither 2xx nor 503. */
  failed: number;
}

const INTERVAL_MS = 5;

/** Sends requests at a rate, however many are under way, as many clients do that do not know of each other. */
export async function generateOpenLoad({ url, body, keys, perSecond, seconds }: OpenLoad): Promise<OpenMeasured> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: 4_096 });
  const measured: OpenMeasured = { accepted: [], shed: [], failed: 0 };
  const send = async (n: number, dueAt: number) => {
    const headers = { authorization: `Bearer ${keys[n % keys.length]!}`, "content-type": "application/json" };
    try {
      const response = await pool.request({ method: "POST", path, headers, body });
      await response.body.dump();
      const ms = performance.now() - dueAt;
      if (response.statusCode === 200) measured.accepted.push(ms);
      else if (response.statusCode === 503) measured.shed.push(ms);
      else measured.failed += 1;
    } catch {
      measured.failed += 1;
    }
  };
  const startedAt = performance.now();
  const open: Promise<void>[] = [];
  const total = perSecond * seconds;
  while (open.length < total) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond);
    while (open.length < due) open.push(send(open.length, startedAt + (open.length * 1000) / perSecond));
    await sleep(INTERVAL_MS);
  }
  await Promise.all(open);
  await pool.close();
  return measured;
}

export const p99Of = (times: number[]): number => quantile(times, 0.99);
