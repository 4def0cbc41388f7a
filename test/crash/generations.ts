import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { connectApi } from "../../scripts/tour/api";
import { newCustomer } from "../api/customer";
import type { TestHub } from "../hub";
import { soakCount } from "../soak";
import { pause, sendRequest, type Target } from "./send-request";

/** What a client has observed. */
interface ClientLog {
  /** Ids of accepted generations by their idempotency keys. */
  accepted: Map<string, string>;
  /** Ids of generations whose cancellation was confirmed. */
  canceled: Set<string>;
  /** Responses that a client must never get. */
  errors: string[];
}

interface Page {
  data: {
    id: string;
    status: string;
    billed_cost: number | null;
    estimated_cost: number;
    error: { code: string } | null;
  }[];
  next_cursor: string | null;
}

const CLIENTS = 6;
/** Enough for what the clients create until the last kill. */
const CREDIT = soakCount(25, 1_000);
const final = ["succeeded", "failed", "canceled"];

/** Opens an account whose clients create and cancel generations. */
export async function openGenerations(hub: TestHub, url: string, random: () => number) {
  const { key } = await newCustomer(hub, { credit: CREDIT });
  const target = { url, key };
  const log: ClientLog = { accepted: new Map(), canceled: new Set(), errors: [] };
  const stopping = new AbortController();
  let clients: Promise<void>[] | undefined;
  return {
    /** Starts the clients, and waits until some more generations are accepted. */
    async untilBusy() {
      clients ??= Array.from({ length: CLIENTS }, () => generateLoad(target, stopping.signal, log, random));
      const enough = log.accepted.size + 5 + Math.floor(random() * 40);
      await expect.poll(() => log.accepted.size, { timeout: 30_000, interval: 1 }).toBeGreaterThan(enough);
    },

    async stop() {
      stopping.abort();
      await Promise.all(clients!);
    },

    /** Expects that each accepted generation ends as its client was told, and that the account pays for it once. */
    async expectEnds() {
      // The hub recovers without any request but these reads.
      const unfinished = async () => (await list(target)).filter(({ status }) => !final.includes(status));
      await expect.poll(unfinished, { timeout: 30_000, interval: 500 }).toEqual([]);
      const records = new Map((await list(target)).map((record) => [record.id, record]));
      const ids = [...log.accepted.values()];
      expect(log.errors).toEqual([]);
      expect(ids.filter((id) => !records.has(id))).toEqual([]);
      expect(new Set(ids).size).toBe(ids.length);
      const canceled = [...log.canceled].map((id) => records.get(id)!);
      expect(canceled.filter((one) => one.status !== "canceled" || one.billed_cost !== null)).toEqual([]);
      const all = [...records.values()];
      // A generation of a lost run would end only at its deadline.
      const codes = new Set(all.flatMap(({ error }) => error?.code ?? []));
      expect([...codes].filter((code) => code !== "provider_refused" && code !== "provider_error")).toEqual([]);
      expect(all.filter((one) => one.status === "succeeded" && one.billed_cost !== one.estimated_cost)).toEqual([]);
      const billed = all.reduce((sum, one) => sum + (one.billed_cost ?? 0), 0);
      const me = await connectApi(url, key).get<{ balance: number; available: number }>("/me");
      expect(me.balance).toBeCloseTo(CREDIT - billed, 9);
      expect(me.available).toBe(me.balance);
    },
  };
}

async function list({ url, key }: Target): Promise<Page["data"]> {
  const api = connectApi(url, key);
  const all: Page["data"] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const page: Page = await api.get(`/hub/generations?limit=100${after}`);
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

/** Creates and cancels generations until `stop` aborts. Every request is repeated with its key until it gets a final response. */
async function generateLoad(target: Target, stop: AbortSignal, log: ClientLog, random: () => number): Promise<void> {
  while (!stop.aborted) {
    const key = randomUUID();
    const prompt = promptFor(key, random());
    const id = await createGeneration(target, stop, log, key, prompt);
    if (!id) return;
    log.accepted.set(key, id);
    // Sometimes the request is repeated, as by a client that lost the response.
    if (random() < 0.2) {
      const replayedId = await createGeneration(target, stop, log, key, prompt);
      if (replayedId && replayedId !== id) log.errors.push(`key ${key} made ${id} and ${replayedId}`);
    }
    if (random() < 0.3) await cancelGeneration(target, stop, log, id);
  }
}

async function createGeneration(
  target: Target,
  stop: AbortSignal,
  log: ClientLog,
  key: string,
  prompt: string,
): Promise<string | undefined> {
  while (!stop.aborted) {
    const answer = await sendRequest(target, "POST", "/api/v1/hub/generations", key, {
      model: "sandbox-image",
      input: { prompt },
    });
    if (answer?.status === 202 || answer?.status === 200) return answer.body.id;
    if (answer?.body.code === "generation_in_progress") return answer.body.generation_id;
    if (answer && answer.status !== 503) {
      log.errors.push(`create answered ${answer.status} ${answer.body.code}`);
      return undefined;
    }
    await pause();
  }
  return undefined;
}

function promptFor(key: string, roll: number): string {
  const magic = roll < 0.1 ? "[fail] " : roll < 0.2 ? "[slow:1] " : roll < 0.3 ? "[flaky] " : "";
  return `${magic}crash ${key}`;
}

async function cancelGeneration(target: Target, stop: AbortSignal, log: ClientLog, id: string): Promise<void> {
  while (!stop.aborted) {
    const answer = await sendRequest(target, "POST", `/api/v1/hub/generations/${id}/cancel`);
    if (answer?.status === 200) log.canceled.add(id);
    if (answer && ![200, 409, 503].includes(answer.status))
      log.errors.push(`cancel answered ${answer.status} ${answer.body.code}`);
    if (answer && answer.status !== 503) return;
    await pause();
  }
}
