import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { purgeVectors } from "../../server/domain/openai/vector-pieces";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { bundleProgram } from "../bundle-program";
import { measureLongestTurnAgain } from "../longest-turn";
import { soakCount } from "../soak";
import { offerEmbeddingModel } from "./offer-embedding-model";

const COUNT = 2_048;
const DIMENSIONS = soakCount(1_024, 3_072);
const MAX_TURN_MS = 50;
const MAX_BYTES = 200 * 1024 ** 2;
const DAY_MS = 86_400_000;

const host = await openOwnHost();
const program = await bundleProgram("test/openai/embedding-peer.ts");
const peer = fork(program, [String(COUNT), String(DIMENSIONS)], { execArgv: [] });
afterAll(() => void peer.kill());
const [{ port }] = (await once(peer, "message")) as [{ port: number }];
offerEmbeddingModel(host.hub, `http://127.0.0.1:${port}`);
const { key, account } = await newCustomer(host.hub);

interface Report {
  status: number;
  count: number;
  isSame: boolean;
  sha256: string;
  replayed: string | null;
}

async function request(
  format: string,
  headers: Record<string, string> = {},
  options: { leaves?: boolean; tokens?: number } = {},
): Promise<Report> {
  const url = `${host.url}/v1/embeddings`;
  peer.send({ url, headers: { authorization: `Bearer ${key}`, ...headers }, format, ...options });
  return ((await once(peer, "message")) as [Report])[0];
}

/** Returns what a request did, its longest turn in milliseconds, and the bytes by which memory grew meanwhile. */
async function measure(format: string, createHeaders: () => Record<string, string>, tokens?: number) {
  let before = 0;
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  let report!: Report;
  const send = async () => {
    report = await request(format, createHeaders(), { tokens });
  };
  const longestMs = await measureLongestTurnAgain(MAX_TURN_MS, send, async () => {
    before = peak = process.memoryUsage.rss();
  });
  clearInterval(watch);
  return { report, longestMs, grownBytes: peak - before };
}

const countPieces = async () =>
  (await host.hub.db.query<{ n: number }>("SELECT count(*)::int AS n FROM vector_piece"))[0]!.n;

const countCharges = async () =>
  (await host.hub.db.query("SELECT FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'", [account])).length;
const withNewKey = () => ({ "idempotency-key": randomUUID() });

test.each([
  ["base64", "without a key", () => ({}), undefined],
  ["base64", "of tokens with a key", withNewKey, 140],
  ["float", "with a key", withNewKey, undefined],
])("2,048 large vectors as %s %s take short turns and bounded memory", async (format, _key, createHeaders, tokens) => {
  const { report, longestMs, grownBytes } = await measure(format, createHeaders, tokens);
  expect(report).toMatchObject({ status: 200, count: COUNT, isSame: true });
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
  expect(grownBytes).toBeLessThan(MAX_BYTES);
});

test("a repeated request gets the same large answer from its pieces, in short turns", async () => {
  const headers = withNewKey();
  const { sha256 } = await request("base64", headers);
  const { report, longestMs, grownBytes } = await measure("base64", () => headers);
  expect(report).toMatchObject({ status: 200, isSame: true, sha256, replayed: "true" });
  expect(longestMs).toBeLessThan(MAX_TURN_MS);
  expect(grownBytes).toBeLessThan(MAX_BYTES);
});

test("a retry after a disconnect gets the large answer that the first client did not read", async () => {
  const before = await countCharges();
  await request("base64", {}, { leaves: true });
  const retry = await request("base64", { "x-stainless-retry-count": "1" });
  expect(retry).toMatchObject({ status: 200, count: COUNT, isSame: true, replayed: "true" });
  expect(await countCharges()).toBe(before + 1);
});

test("pieces are deleted two days later", async () => {
  expect(await countPieces()).toBeGreaterThan(0);
  expect(await purgeVectors(host.hub, 10_000)).toBe(0);
  host.hub.clock.advance(2 * DAY_MS + 1_000);
  await purgeVectors(host.hub, 10_000);
  expect(await countPieces()).toBe(0);
});
