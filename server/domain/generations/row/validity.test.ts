import { beforeAll, expect, test } from "vitest";
import { queuedGeneration } from "../../../../test/generation-fixture";
import { testHub } from "../../../../test/hub";
import type { Hub } from "../../hub";
import { createAccount } from "../../people/create-account";
import { creditAccount } from "../../ledger/credit";
import { insertWithHold } from "../intake/insert-with-hold";

let hub: Hub;
let id: string;
beforeAll(async () => {
  hub = await testHub();
  const account = await createAccount(hub, { email: "valid@example.org" });
  await creditAccount(hub, account, { amount: 10n });
  const generation = queuedGeneration(account, 10n);
  expect(await insertWithHold(hub, generation)).toBe("accepted");
  id = generation.id;
});

const isValid = async (changes: object) => {
  const [row] = await hub.db.query<{ valid: boolean | null }>(
    "SELECT generation_is_valid(jsonb_populate_record(g, $2)) AS valid FROM generation g WHERE id = $1",
    [id, changes],
  );
  return row!.valid;
};

const at = "2030-01-01T12:00:00Z";
const claimed = { run_id: "run", claim_expires_at: at };
const started = { ...claimed, status: "running", started_at: at };
const ended = { started_at: at, completed_at: at, settled_at: at };
const failed = { ...ended, status: "failed", error: {} };
const lease = { provider: "worker", fence: 1, leased_at: at, metered_at: at, lease_expires_at: at };
const priced = { price: { most_seconds: 10 } };
const hash = `\\x${"00".repeat(32)}`;

test.each([
  {},
  started,
  { ...started, progress: 0.5 },
  { status: "running", started_at: at, is_llm: true },
  { status: "running", started_at: at, provider: "worker" },
  failed,
  { ...ended, status: "canceled", billed_cost: 10 },
  { ...ended, status: "succeeded", billed_cost: 0, progress: 1, excess_cost: 5 },
  { status: "awaiting_supply", missing: [{}], deadline_at: at },
  { ...failed, started_at: null, missing: [{}] },
  { idempotency_key: "k", fingerprint: hash },
  { ...lease, ...priced, leased_at: "2030-01-01T11:59:00Z", gpu_ms: 10_000 },
  { ...lease, started_at: at },
  { provider: "worker", character_id: 1, character_version: 1 },
])("a waiting generation may become %j", async (changes) => {
  // A CHECK constraint passes when its result is unknown.
  expect(await isValid(changes)).not.toBe(false);
});

test.each([
  { status: "paused" },
  { timeout_seconds: 0 },
  { estimated_cost: -1 },
  { excess_cost: -1 },
  { ...started, billed_cost: 1 },
  { ...failed, billed_cost: 11 },
  { ...failed, billed_cost: -1 },
  { ...ended, status: "succeeded" },
  { ...claimed, status: "running" },
  { status: "running", started_at: at },
  { claim_expires_at: at },
  { ...ended, status: "succeeded", billed_cost: 1, started_at: null },
  { started_at: at },
  { status: "canceled" },
  { completed_at: at, settled_at: at },
  { ...failed, settled_at: null },
  { ...failed, error: null },
  { ...ended, status: "canceled", error: {} },
  { progress: 1.1 },
  { progress: -0.1 },
  { progress: 1 },
  { status: "awaiting_supply", deadline_at: at },
  { status: "awaiting_supply", deadline_at: at, missing: [] },
  { status: "awaiting_supply", missing: [{}], deadline_at: null },
  { ...lease, status: "awaiting_supply", missing: [{}], deadline_at: at, started_at: at },
  { missing: [{}] },
  { ...failed, missing: [{}] },
  { idempotency_key: "", fingerprint: hash },
  { idempotency_key: "k".repeat(256), fingerprint: hash },
  { idempotency_key: "k" },
  { fingerprint: "\\x00" },
  { fence: -1, leased_at: at, metered_at: at, lease_expires_at: at, provider: "worker" },
  { ...lease, provider: "sandbox" },
  { ...lease, fence: 0 },
  { ...lease, metered_at: null },
  { ...lease, lease_expires_at: null },
  { gpu_ms_before_lease: -1 },
  { gpu_ms_before_lease: 1 },
  { ...lease, ...priced, gpu_ms: 1 },
  { ...lease, ...priced, leased_at: "2030-01-01T11:59:00Z", gpu_ms: 10_001 },
  { provider: "worker", character_id: 1 },
  { character_id: 1, character_version: 1 },
  { token_classes: { cached_input: 2, audio_input: 1 }, input_tokens: 2, output_tokens: 1 },
  { token_classes: { reasoning: 1, audio_output: 1 }, input_tokens: 2, output_tokens: 1 },
])("the database rejects a generation with %j", async (changes) => {
  expect(await isValid(changes)).toBe(false);
});

test("a statement that violates a constraint fails as a whole", async () => {
  const update = hub.db.query("UPDATE generation SET excess_cost = -1 WHERE id = $1", [id]);
  await expect(update).rejects.toMatchObject({ code: "23514", constraint: "generation_is_valid" });
});
