import type { Generation } from "../server/domain/generations/generation";
import { newId } from "../server/lib/id";

/** A queued generation as `start` would make it. */
export const draft = (account: number, estimated_cost: bigint): Generation => ({
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
  idempotency_key: null,
  fingerprint: null,
  progress: null,
  error: null,
  run_id: null,
  timeout_seconds: 60,
  created_at: new Date(),
  started_at: null,
  deadline_at: null,
  completed_at: null,
  outputs: [],
  missing: [],
});
