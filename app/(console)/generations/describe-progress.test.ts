import { expect, test } from "vitest";
import { describeProgress } from "./describe-progress";

const open = { outcome: null };
const skipped = { outcome: "skipped" as const };
const refused = { outcome: "refused" as const };
const running = {
  ...{ status: "running" as const, provider: "fal", started_at: "2026-11-22T12:00:00Z" },
  ...{ progress: null, queue_position: null, attempts: [open] },
};

test.each([
  ["Running.", running],
  ["42% done.", { ...running, progress: 0.42 }],
  ["Next in the provider’s queue.", { ...running, queue_position: 0 }],
  ["1,203 ahead in the provider’s queue.", { ...running, queue_position: 1_203, attempts: [refused, open] }],
  ["Waiting for a provider that can take it.", { ...running, attempts: [] }],
  ["Waiting for a provider that can take it.", { ...running, attempts: [skipped] }],
  ["Waiting to try again.", { ...running, attempts: [refused] }],
  ["Waiting for a free place.", { ...running, status: "queued" as const, started_at: null, attempts: [] }],
  ["Waiting to try again.", { ...running, status: "queued" as const, attempts: [refused] }],
  ["Waiting for a worker.", { ...running, status: "queued" as const, provider: "worker", attempts: [] }],
  [null, { ...running, status: "awaiting_supply" as const }],
  [null, { ...running, status: "failed" as const }],
])("describes progress as %j", (sentence, generation) => {
  expect(describeProgress(generation)).toBe(sentence);
});
