import { writeFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { makeDataDir } from "../../e2e/data-dir";
import { type RunningHub, startHub } from "../../e2e/server";
import { seed } from "../soak";
import { describeCatalogue, openMakers } from "./makers";

const ROUNDS = 8;
const PER_ROUND = 3;
const FINAL = ["succeeded", "failed"];

interface Generation {
  id: string;
  status: string;
  estimated_cost: number;
  billed_cost: number | null;
  input: { prompt: string };
}

const opened = await openMakers();
afterAll(() => Promise.all(opened.map(({ double }) => double.close())));

// Each recovery takes as long as a claim lasts.
test(`after ${ROUNDS} kills at random moments, no provider was paid twice`, { timeout: 900_000 }, async () => {
  const dataDir = await makeDataDir();
  const catalogue = path.join(dataDir, "catalogue.yaml");
  await writeFile(catalogue, describeCatalogue(opened));
  const env = { HUB_CATALOGUE: catalogue, LOG_LEVEL: "error", RATE_LIMIT_WRITES_PER_MINUTE: "100000" };
  let hub = await startHub({ env, dataDir });
  const { key } = hub;
  const { port } = new URL(hub.url);
  const [delays] = fc.sample(fc.array(fc.nat(900), { minLength: ROUNDS, maxLength: ROUNDS }), { seed, numRuns: 1 });
  for (const delayMs of delays!) {
    for (let n = 0; n < PER_ROUND; n += 1) await Promise.all(opened.map(({ name }) => create(hub, key, name)));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    await hub.kill9();
    hub = await startHub({ env: { ...env, PORT: port }, dataDir });
  }
  await expect
    .poll(async () => (await list(hub, key)).filter(({ status }) => !FINAL.includes(status)).length, {
      timeout: 420_000,
      interval: 2_000,
    })
    .toBe(0);

  const generations = await list(hub, key);
  expect(generations).toHaveLength(ROUNDS * PER_ROUND * opened.length);
  for (const generation of generations) {
    const accepted = opened.flatMap(({ double }) => double.accepted).filter(mentions(generation.input.prompt)).length;
    const { data } = await get<{ data: { outcome: string }[] }>(hub, key, `/generations/${generation.id}/attempts`);
    const failed = data.filter(({ outcome }) => outcome === "failed").length;
    expect(accepted, generation.id).toBeLessThanOrEqual(failed + 1);
    if (generation.status === "succeeded")
      expect(generation.billed_cost).toBeLessThanOrEqual(generation.estimated_cost);
    else expect(generation.billed_cost).toBe(0);
  }
  const { stdout, stderr } = await hub.cli("audit", "--json");
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toMatchObject({ violations: [] });
  await hub.stop();
});

const mentions = (prompt: string) => (request: { body: Buffer }) => request.body.includes(prompt);

let count = 0;
async function create(hub: RunningHub, key: string, model: string): Promise<void> {
  const prompt = `a lighthouse with the number ${(count += 1) + 1_000_000}`;
  const response = await fetch(`${hub.url}/api/v1/hub/generations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, input: { prompt } }),
  });
  expect(response.status).toBe(202);
}

async function list(hub: RunningHub, key: string): Promise<Generation[]> {
  const all: Generation[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: { data: Generation[]; next_cursor: string | null } = await get(
      hub,
      key,
      `/generations?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

const get = async <T>(hub: RunningHub, key: string, url: string): Promise<T> =>
  (await fetch(`${hub.url}/api/v1/hub${url}`, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<T>;
