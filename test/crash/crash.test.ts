import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { copyDataDir } from "../../e2e/data-dir";
import { startHub, type RunningHub } from "../../e2e/server";
import { createRandom } from "../random";
import { seed, soakCount } from "../soak";
import { type ClientLog, generateLoad } from "./client";

const KILLS = soakCount(1, 50);
const CLIENTS = 6;
const CREDIT = 25;

interface Page {
  data: {
    id: string;
    status: string;
    billed_cost: number | null;
    estimated_cost: number;
    error: { code: string } | null;
  }[];
  next_cursor: string | null;
  total_billed: number;
}

const get = async <T>(hub: RunningHub, url: string): Promise<T> =>
  (await fetch(hub.url + url, { headers: { authorization: `Bearer ${hub.key}` } })).json() as Promise<T>;

async function everything(hub: RunningHub): Promise<Page["data"]> {
  const all: Page["data"] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: Page = await get(
      hub,
      `/api/v1/hub/generations?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

const final = ["succeeded", "failed", "canceled"];

test(
  `after ${KILLS} kills under load, nothing accepted is lost or billed twice`,
  async () => {
    const dataDir = await copyDataDir();
    const env = { RATE_LIMIT_WRITES_PER_MINUTE: "1000000", RATE_LIMIT_READS_PER_MINUTE: "1000000", LOG_LEVEL: "error" };
    const random = createRandom(seed);
    let hub = await startHub({ env, dataDir });
    const key = hub.key;
    const { port } = new URL(hub.url);
    const log: ClientLog = { accepted: new Map(), canceled: new Set(), errors: [] };
    const stop = new AbortController();
    const target = () => ({ url: hub.url, key });
    const clients = Array.from({ length: CLIENTS }, () => generateLoad(target, stop.signal, log, random));
    try {
      for (let kill = 0; kill < KILLS; kill += 1) {
        const before = log.accepted.size;
        const enough = 5 + Math.floor(random() * 40);
        await expect.poll(() => log.accepted.size, { timeout: 30_000, interval: 1 }).toBeGreaterThan(before + enough);
        await hub.kill9();
        hub = await startHub({ env: { ...env, PORT: port }, dataDir });
      }
      stop.abort();
      await Promise.all(clients);
      hub.key = key;

      // The hub recovers without any request but these reads.
      await expect
        .poll(async () => (await everything(hub)).filter(({ status }) => !final.includes(status)), {
          timeout: 30_000,
          interval: 500,
        })
        .toEqual([]);
      const records = new Map((await everything(hub)).map((record) => [record.id, record]));
      expect(log.errors).toEqual([]);
      expect([...log.accepted.values()].filter((id) => !records.has(id))).toEqual([]);
      expect(new Set(log.accepted.values()).size).toBe(log.accepted.size);
      expect(
        [...log.canceled].filter(
          (id) => records.get(id)!.status !== "canceled" || records.get(id)!.billed_cost !== null,
        ),
      ).toEqual([]);
      // A generation of a lost run would end only at its deadline.
      expect(
        [...records.values()].filter(
          ({ error }) => error && error.code !== "provider_refused" && error.code !== "provider_error",
        ),
      ).toEqual([]);
      const billed = [...records.values()].reduce((sum, record) => sum + (record.billed_cost ?? 0), 0);
      expect(
        [...records.values()].filter((r) => r.status === "succeeded" && r.billed_cost !== r.estimated_cost),
      ).toEqual([]);
      const me = await get<{ balance: number; available: number }>(hub, "/api/v1/me");
      expect(me.balance).toBeCloseTo(CREDIT - billed, 9);
      expect(me.available).toBe(me.balance);
      const { stdout, code } = await hub.cli("audit", "--json");
      expect(JSON.parse(stdout)).toMatchObject({ violations: [] });
      expect(code).toBe(0);
    } finally {
      stop.abort();
      await hub.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
  soakCount(180_000, 3_000_000),
);
