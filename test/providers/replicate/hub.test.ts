import { buffer } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { parseCatalogue } from "../../../server/catalogue/parse";
import type { Ctx } from "../../../server/context";
import { createAccount } from "../../../server/domain/accounts/account";
import { runAudit } from "../../../server/domain/audit/audit";
import { findFile, openContent } from "../../../server/domain/files/find-file";
import type { Generation } from "../../../server/domain/generations/generation";
import { getStoredGeneration } from "../../../server/domain/generations/get";
import { markRunning } from "../../../server/domain/generations/mark-running";
import { startGeneration } from "../../../server/domain/generations/start";
import { creditAccount } from "../../../server/domain/ledger/credit";
import { endRun } from "../../../server/domain/runs/end-run";
import { toEnding } from "../../../server/domain/runs/next-action";
import { runAttempt } from "../../../server/domain/runs/run-attempt";
import { newId } from "../../../server/lib/id";
import { catalogueWith } from "../../catalogue";
import { deriveHub } from "../../derive-hub";
import { testHub } from "../../hub";
import type { SubmitFault } from "../double";
import { openReplicateDouble, type ReplicateDouble } from "./double";
import { OFFICIAL_MODEL } from "./models";
import { type OutcomeName, PICTURE } from "./outcomes";

const hub = await testHub({ EUR_PER_USD: "1" });
const CREDIT = 1_000_000_000n;
const PRICE = 3_000_000n;

let double: ReplicateDouble;
let ctx: Ctx;
beforeEach(async () => {
  double = await openReplicateDouble();
  // Nobody listens at the hub's address, so every result is polled.
  double.settings.callbacks = "lost";
  // Earlier tests have moved the hub's clock.
  double.advance((hub.now().getTime() - Date.now()) / 1000);
  ctx = await newCustomer();
  return double.close;
});

/** Returns a customer of a hub whose only provider is the double. */
async function newCustomer(): Promise<Ctx> {
  const yaml = `
providers: [{ id: replicate, kind: replicate, base_url: "${double.base}", api_key: test-key-0123456789 }]
models:
  - id: flux-schnell
    timeout_seconds: 60
    output_modalities: [image]
    parameters_schema: { type: object, required: [prompt], properties: { prompt: { type: string } } }
    pricing_tiers: [{ match: {}, price_usd: 0.003 }]
    routes: [{ provider: replicate, upstream_model: ${OFFICIAL_MODEL} }]`;
  const { models } = parseCatalogue(yaml, { file: "test", variables: {} });
  const own = deriveHub(hub, { catalogue: catalogueWith(models) });
  const id = await createAccount(own, { email: `${newId()}@example.org` });
  await creditAccount(own, id, { amount: CREDIT });
  const account = { id, email: "", member: false, balance: 0n, reserved: 0n };
  return { ...own, hub: own, account, actor: { kind: "user" }, requestId: "test" };
}

/** Runs a generation to its end, in no time: pauses move the clocks of the hub and of the double. */
async function generate(): Promise<Generation> {
  const { id } = (await startGeneration(ctx, { model: "flux-schnell", input: { prompt: "a cat" } }, null)).generation;
  const run = { generationId: id, runId: newId() };
  await markRunning(ctx.hub, run);
  const pause = (seconds: number) => {
    hub.clock.advance(seconds * 1000);
    double.advance(seconds);
  };
  for (let n = 1; ;) {
    const action = await runAttempt(ctx.hub, run, n);
    if (action.next === "poll") pause(action.pollAfterSeconds);
    else if (action.next === "wait") pause(action.waitSeconds);
    else if (action.next === "attempt") {
      pause(action.pauseSeconds);
      n += 1;
    } else {
      expect(action.next).not.toBe("stop");
      if (action.next !== "stop") await endRun(ctx.hub, run, toEnding(action));
      return getStoredGeneration(ctx, id);
    }
  }
}

async function findBalance() {
  const text = "SELECT balance, reserved FROM account WHERE id = $1";
  return (await hub.db.query<{ balance: bigint; reserved: bigint }>(text, [ctx.account.id]))[0];
}

afterAll(async () => {
  expect(await runAudit(hub.db)).toMatchObject({ violations: [] });
});

test("a picture is generated, stored and charged once", async () => {
  const { status, billed_cost, outputs } = await generate();
  expect({ status, billed_cost }).toEqual({ status: "succeeded", billed_cost: PRICE });
  const file = await findFile(ctx, outputs[0]!.id);
  expect(await buffer(await openContent(hub, file))).toEqual(PICTURE);
  expect(await findBalance()).toEqual({ balance: CREDIT - PRICE, reserved: 0n });
});

describe("work is never bought twice", () => {
  test.each<[SubmitFault, "succeeded" | "failed", number]>([
    ["401", "failed", 0],
    ["422", "failed", 0],
    ["429 with Retry-After", "succeeded", 1],
    ["503", "succeeded", 1],
    ["500 before", "failed", 0],
    ["502 after", "succeeded", 1],
    ["reset before", "failed", 0],
    ["reset after", "succeeded", 1],
    ["reset within the response", "succeeded", 1],
    ["half of the JSON", "succeeded", 1],
  ])("after a submit with %s, which ends as %s", async (fault, status, accepted) => {
    double.failNextSubmits(fault);
    const generation = await generate();
    const charged = status === "succeeded" ? PRICE : 0n;
    expect(generation).toMatchObject({ status, billed_cost: charged });
    expect(double.accepted).toHaveLength(accepted);
    expect(await findBalance()).toEqual({ balance: CREDIT - charged, reserved: 0n });
  });
});

test.each<[OutcomeName, string]>([
  ["nsfw error", "content_refused"],
  ["interrupted error", "provider_error"],
  ["expired", "invalid_output"],
  ["redirect to a private address", "invalid_output"],
  ["wrong media type", "invalid_output"],
])("a prediction with %s fails with %s, costs nothing and is not repeated", async (outcome, code) => {
  double.setOutcomes(outcome);
  expect(await generate()).toMatchObject({ status: "failed", billed_cost: 0n, error: { code } });
  expect(double.accepted).toHaveLength(1);
  expect(await findBalance()).toEqual({ balance: CREDIT, reserved: 0n });
});
