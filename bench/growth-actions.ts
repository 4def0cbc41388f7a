import { randomBytes, randomInt } from "node:crypto";
import { finishGeneration } from "../server/domain/generations/end/finish";
import { getStoredGeneration } from "../server/domain/generations/read/get";
import { insertWithHold } from "../server/domain/generations/intake/insert-with-hold";
import { type GenerationFilters, listStoredGenerations } from "../server/domain/generations/read/list";
import { markRunning } from "../server/domain/generations/run/mark-running";
import { selectPage } from "../server/domain/generations/read/select-page";
import { startGeneration } from "../server/domain/generations/intake/start";
import type { Hub } from "../server/domain/hub";
import { listEntries } from "../server/domain/ledger/list-entries";
import { newId } from "../server/lib/id";
import { queuedGeneration } from "../test/generation-fixture";
import { contextOf } from "./accounts";

/** A database to measure, with ids of its generations. */
export interface World {
  hub: Hub;
  /** How many generations it was filled with, over two years. */
  rows: number;
  accounts: number[];
  followers: number[];
  generations: { id: string; account_id: number }[];
  /** Deliveries that were dispatched and not claimed yet. */
  due: { id: string; round: number }[];
}

/** Prepares a call, which is not timed, and returns the call. */
export type Action = (world: World) => Promise<() => Promise<unknown>>;

const pick = <T>(values: T[]): T => values[randomInt(values.length)]!;
const randomContext = ({ hub, accounts }: World) => contextOf(hub, pick(accounts));
const words = () => Array.from({ length: 8 }, () => `word${randomInt(5_000)}`).join(" ");

const accept: Action = async (world) => {
  const ctx = randomContext(world);
  const request = { model: "sandbox-image", input: { prompt: words() } };
  const idempotency = { key: newId(), fingerprint: randomBytes(32) };
  return () => startGeneration(ctx, request, idempotency);
};

async function queue({ hub }: World, account: number): Promise<string> {
  const generation = { ...queuedGeneration(account, 9_200_000n), created_at: hub.now() };
  await insertWithHold(hub, generation);
  return generation.id;
}

const end: Action = async (world) => {
  const id = await queue(world, pick(world.accounts));
  return async () => {
    await markRunning(world.hub, { generationId: id, runId: newId() });
    await finishGeneration(world.hub, { id, from: ["running"], to: "succeeded", cost: 1_000n });
  };
};

const deliver: Action = async (world) => {
  const { hub, followers, due } = world;
  const id = await queue(world, pick(followers));
  await finishGeneration(hub, { id, from: ["queued"], to: "canceled" });
  const delivery = due.shift()!;
  return async () => {
    const startedAt = hub.now();
    const claimed = await hub.services.claimDelivery({ id: delivery.id, round: delivery.round, inSlowGroup: false });
    const result = { status: 204, durationMs: 10, response: "", error: null, retryAfter: null };
    await hub.services.recordAttempt({
      claim: claimed!,
      result,
      startedAt,
      decision: { next: "succeeded" },
      retryAt: null,
    });
  };
};

const list =
  (filters: GenerationFilters): Action =>
  async (world) => {
    const ctx = randomContext(world);
    return () => listStoredGenerations(ctx, { limit: PAGE, ...filters });
  };

const DAY_MS = 86_400_000;
/** The history of two years. */
const DAYS = 730;
const PAGE = 20;

/** Every action by its name. */
export const actions: Record<string, Action> = {
  // Reads come first, so that they read the history and not what the others add.
  get: async ({ hub, generations }) => {
    const { id, account_id } = pick(generations);
    return () => getStoredGeneration(contextOf(hub, account_id), id);
  },
  "list, first page": list({}),
  "list, by status": list({ status: "succeeded" }),
  "list, by model": list({ model: "sandbox-image" }),
  "list, a range of 20": async (world) => {
    const ctx = randomContext(world);
    // A range that contains about twenty generations of an account, in either database.
    const length = (DAYS * DAY_MS * PAGE) / (world.rows / world.accounts.length);
    const until = world.hub.now().getTime() - randomInt(Math.floor((DAYS * DAY_MS) / 2));
    return () => listStoredGenerations(ctx, { limit: PAGE, from: new Date(until - length), until: new Date(until) });
  },
  "list, deep cursor": async ({ hub, generations }) => {
    const { id, account_id } = pick(generations);
    return () => selectPage(hub.db, { accountId: account_id, limit: PAGE + 1, after: id });
  },
  "list, by search": async (world) => {
    const ctx = randomContext(world);
    return () => listStoredGenerations(ctx, { limit: PAGE, q: `word${randomInt(5_000)}` });
  },
  "list the ledger": async (world) => {
    const ctx = randomContext(world);
    return () => listEntries(ctx, { limit: PAGE });
  },
  accept,
  end,
  "deliver a webhook": deliver,
};
