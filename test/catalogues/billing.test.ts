import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { parseCatalogue } from "../../server/catalogue/parse";
import { contextOf } from "../../server/context";
import { createAccount } from "../../server/domain/people/create-account";
import { runAudit } from "../../server/domain/audit/audit";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import { startGeneration } from "../../server/domain/generations/intake/start";
import { creditAccount } from "../../server/domain/ledger/credit";
import { endRun } from "../../server/domain/generations/run/end-run";
import { toEnding } from "../../server/domain/generations/run/next-action";
import { runAttempt } from "../../server/domain/generations/run/run-attempt";
import { parseDecimal } from "../../server/lib/money";
import type { JobState, ProviderOutput } from "../../server/providers/job";
import { catalogueWith } from "../catalogue";
import { testHub } from "../hub";
import { makePng } from "../media/png";

const hub = await testHub({ EUR_PER_USD: "0.9" });
hub.catalogue = catalogueWith(
  parseCatalogue(
    `
margin: 1.5
providers: [{ id: up, kind: fal, api_key: k }]
models:
  - id: posters
    pricing: { per: image, times: n, tiers: [{ match: {}, price_usd: 0.04 }] }
    parameters_schema: { type: object, properties: { n: { type: integer, minimum: 1, maximum: 9, default: 1 } } }
    routes: [{ provider: up, upstream_model: x, price_usd: 0.03 }]
  - id: prints
    pricing: { per: megapixel, times: n, width: side, height: side, tiers: [{ match: {}, price_usd: 0.03, next_price_usd: 0.01 }] }
    parameters_schema:
      type: object
      properties:
        n: { type: integer, minimum: 1, maximum: 9, default: 1 }
        side: { type: integer, minimum: 64, maximum: 2048, default: 2048 }
    routes: [{ provider: up, upstream_model: x }]
  - id: minutes
    pricing: { per: minute, max_minutes: 60, tiers: [{ match: {}, price_usd: 0.006 }] }
    routes: [{ provider: up, upstream_model: x }]
`,
    { file: "test", variables: {} },
  ).models,
);

const picture = async (side: number): Promise<ProviderOutput> => {
  const content = await makePng("#123", { width: side, height: side });
  return {
    mediaType: "image/png",
    read: (store) =>
      store(
        (async function* () {
          yield content;
        })(),
      ),
  };
};

/** Runs a generation whose provider answers with this state, and returns what was held, billed and recorded, in USD. */
async function run(
  model: string,
  input: Record<string, unknown>,
  state: Omit<JobState & { state: "succeeded" }, "state">,
) {
  hub.providers = { fal: { submit: () => Promise.resolve({ state: "succeeded", ...state }) } };
  const email = `${randomUUID()}@example.org`;
  const id = await createAccount(hub, { email });
  await creditAccount(hub, id, { amount: parseDecimal(10) });
  const account = { id, email, member: true, balance: parseDecimal(10), reserved: 0n };
  const { generation } = await startGeneration(
    contextOf(hub, account, { kind: "user" }, "test"),
    { model, input },
    null,
  );
  const own = { generationId: generation.id, runId: "a" };
  await markRunning(hub, own);
  const action = await runAttempt(hub, own, 1);
  if (action.next !== "succeed") throw new Error(`the attempt is followed by ${action.next}`);
  await endRun(hub, own, toEnding(action));
  const [row] = await hub.db.query<Record<"held" | "billed" | "cost", bigint>>(
    `SELECT g.estimated_cost AS held, g.billed_cost AS billed, a.cost FROM generation g JOIN attempt a ON a.generation_id = g.id
     WHERE g.id = $1`,
    [generation.id],
  );
  const inUsd = (euros: bigint) => Number((euros * 10n) / 9n) / 1e9;
  return [inUsd(row!.held), inUsd(row!.billed), inUsd(row!.cost)];
}

test("a customer pays for what was delivered, with the margin, and the route's cost is recorded without it", async () => {
  const small = await picture(64);
  expect(await run("posters", { n: 3 }, { outputs: [small, small, small] })).toEqual([0.18, 0.18, 0.09]);
  expect(await run("posters", { n: 3 }, { outputs: [small, small] })).toEqual([0.18, 0.12, 0.06]);
  expect(await run("posters", { n: 1 }, { outputs: [small, small] })).toEqual([0.06, 0.06, 0.03]);
  expect(await run("posters", {}, { outputs: [small], costUsd: parseDecimal("0.021") })).toEqual([0.06, 0.06, 0.021]);

  expect(await run("prints", { n: 2 }, { outputs: [await picture(2048), await picture(1024)] })).toEqual([
    0.18, 0.135, 0.09,
  ]);
  expect(await run("minutes", {}, { outputs: [small], usage: { seconds: 90 } })).toEqual([0.54, 0.0135, 0.009]);
  expect(await run("minutes", {}, { outputs: [small] })).toEqual([0.54, 0.54, 0.36]);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
