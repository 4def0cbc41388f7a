import { afterAll, beforeAll, expect, test } from "vitest";
import { parseCatalogue } from "../../../server/catalogue/parse";
import { createAccount } from "../../../server/domain/accounts/account";
import { runAudit } from "../../../server/domain/audit/audit";
import { findAttempts, recordReport } from "../../../server/domain/generations/attempts";
import type { Run } from "../../../server/domain/generations/claim";
import { insertWithHold } from "../../../server/domain/generations/insert-with-hold";
import { markRunning } from "../../../server/domain/generations/mark-running";
import { creditAccount } from "../../../server/domain/ledger/credit";
import { endRun } from "../../../server/domain/runs/end-run";
import { type NextAction, toEnding } from "../../../server/domain/runs/next-action";
import { runAttempt } from "../../../server/domain/runs/run-attempt";
import { fal } from "../../../server/providers/fal/fal";
import { buildIo } from "../job";
import { catalogueWith } from "../../catalogue";
import { queuedGeneration } from "../../generation-fixture";
import { type TestHub, testHub } from "../../hub";
import { type FalDouble, openFalDouble } from "./double";
import { describeInvalid, FAL_KEY } from "./samples";

let double: FalDouble;
let hub: TestHub;
let account: number;

beforeAll(async () => {
  double = await openFalDouble();
  hub = await testHub();
  const yaml = `
providers: [{ id: fal, kind: fal, base_url: "${double.url}", api_key: "${FAL_KEY}" }]
models:
  - id: picture
    output_modalities: [image]
    parameters_schema: { type: object, properties: { prompt: { type: string, maxLength: 100 } } }
    pricing_tiers: [{ match: {}, price_usd: 0.004 }]
    routes: [{ provider: fal, upstream_model: fal-ai/flux/schnell }]
`;
  hub.catalogue = catalogueWith(parseCatalogue(yaml, { file: "test", variables: {} }).models);
  account = await createAccount(hub, { email: "fal@example.org" });
  await creditAccount(hub, account, { amount: 1_000n });
});
afterAll(() => double.close());

async function startRun(): Promise<Run> {
  const generation = { ...queuedGeneration(account, 10n), model: "picture", created_at: hub.now() };
  await insertWithHold(hub, generation);
  const run = { generationId: generation.id, runId: "a" };
  expect(await markRunning(hub, run)).toBe("running");
  return run;
}

/** Runs the first attempt until there is nothing to wait for, and ends its generation. */
async function finishRun(run: Run): Promise<Exclude<NextAction, { next: "poll" }>> {
  for (;;) {
    const action = await runAttempt(hub, run, 1);
    if (action.next === "poll") continue;
    if (action.next === "succeed" || action.next === "fail") await endRun(hub, run, toEnding(action));
    return action;
  }
}

async function readGeneration({ generationId }: Run) {
  const [row] = await hub.db.query<{ status: string; billed_cost: bigint | null; error: { code: string } | null }>(
    "SELECT status, billed_cost, error FROM generation WHERE id = $1",
    [generationId],
  );
  return row!;
}

test("a generation stores the pictures of its job", async () => {
  const run = await startRun();
  expect(await finishRun(run)).toMatchObject({ next: "succeed", outputs: 1, attempt: { outcome: "succeeded" } });
  expect(await readGeneration(run)).toMatchObject({ status: "succeeded", billed_cost: 10n });
});

test("a submit whose answer is lost is finished by its callback, and never repeated", async () => {
  const accepted = double.accepted.length;
  const run = await startRun();
  double.failNextSubmits("reset after");
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "poll", callsBack: true });
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "poll", callsBack: true });

  const atFal = [...double.jobs.values()].at(-1)!;
  const { headers, body } = double.signWebhook(atFal);
  const [attempt] = await findAttempts(hub, run.generationId);
  const target = { attemptId: attempt!.id, upstreamId: null, route: hub.catalogue.get("picture")!.routes[0]! };
  const { upstreamId } = await fal.callback({ headers: new Headers(headers), body }, target, buildIo());
  await recordReport(hub, attempt!.id, upstreamId!);
  expect(atFal.webhookUrl).toContain(attempt!.id);
  expect(await finishRun(run)).toMatchObject({ next: "succeed", outputs: 1 });
  expect(double.accepted).toHaveLength(accepted + 1);
});

test("a submit whose answer and callback are lost is never repeated, and charged to nobody but the operator", async () => {
  const accepted = double.accepted.length;
  const run = await startRun();
  double.failNextSubmits("500 after");
  expect(await runAttempt(hub, run, 1)).toMatchObject({ next: "poll" });
  hub.clock.advance(61_000);
  expect(await finishRun(run)).toMatchObject({ next: "fail", attempt: { outcome: "lost" } });
  expect(await readGeneration(run)).toMatchObject({ status: "failed", billed_cost: 0n });
  expect(double.accepted).toHaveLength(accepted + 1);
});

test.each([
  ["a refusal", describeInvalid("prompt", "content_policy_violation"), 422, "content_refused"],
  [
    "a page instead of a picture",
    { image: { url: "/files/page.png", content_type: "image/png" } },
    200,
    "invalid_output",
  ],
  ["a picture elsewhere", { image: { url: "http://127.0.0.1:9/a", content_type: "image/png" } }, 200, "invalid_output"],
  ["no picture", { seed: 1 }, 200, "invalid_output"],
])(
  "a job that ends with %s fails, is paid once at most, and costs the customer nothing",
  async (_, body, status, code) => {
    double.files.set("/files/page.png", { status: 200, body: Buffer.from("<html>Sign in</html>") });
    double.endNextJobs({ result: { status, body } });
    const accepted = double.accepted.length;
    const run = await startRun();
    await finishRun(run);
    expect(await readGeneration(run)).toMatchObject({ status: "failed", billed_cost: 0n, error: { code } });
    expect(double.accepted).toHaveLength(accepted + 1);
  },
);

test("the books agree", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
