import type { Generation } from "../server/domain/generations/row/generation";
import { newId } from "../server/lib/id";
import { hashOf } from "./insert-file";

/** Returns a queued generation as `startGeneration` builds it. */
export const queuedGeneration = (account: number, estimated_cost: bigint): Generation => ({
  id: newId(),
  account_id: account,
  key_id: null,
  model: "sandbox-image",
  is_llm: false,
  status: "queued",
  input: { prompt: "a tree" },
  estimated_cost,
  billed_cost: null,
  price: {},
  provider: "sandbox",
  batch_id: null,
  priority: 0,
  metadata: null,
  end_user: null,
  idempotency_key: null,
  fingerprint: null,
  progress: null,
  error: null,
  run_id: null,
  timeout_seconds: 60,
  created_at: new Date(),
  erased_at: null,
  started_at: null,
  deadline_at: null,
  completed_at: null,
  input_tokens: null,
  output_tokens: null,
  token_classes: null,
  outputs: [],
  missing: [],
});

/**
 * Returns a generation that refers to these contents by their hashes and waits for them until `until`. Without contents
 * it is queued.
 */
export function waitingGeneration(account: number, estimate: bigint, contents: string[], until: Date): Generation {
  if (contents.length === 0) return queuedGeneration(account, estimate);
  const hashes = contents.map(hashOf);
  return {
    ...queuedGeneration(account, estimate),
    status: "awaiting_supply",
    input: { prompt: "a tree", image_input: hashes.map((hash) => `sha256:${hash}`) },
    missing: hashes.map((sha256) => ({ sha256, kind: "image_input" })),
    deadline_at: until,
  };
}
