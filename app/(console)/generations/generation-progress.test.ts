import { expect, test } from "vitest";
import { defaultFormats } from "../../ui/formats";
import { describeProgress, estimateProgress } from "./generation-progress";

const open = { outcome: null };
const skipped = { outcome: "skipped" as const };
const refused = { outcome: "refused" as const };
const running = {
  status: "running" as const,
  provider: "fal",
  progress: null,
  queue_position: null,
  wait_reason: null,
  typical_seconds: null,
  attempts: [open],
};
const queued = { ...running, status: "queued" as const, attempts: [] };

test.each([
  ["Running.", running],
  ["Running, usually 12 s.", { ...running, typical_seconds: 12 }],
  ["Running, usually 1 s.", { ...running, typical_seconds: 0.2 }],
  ["Running, usually 2 min 5 s.", { ...running, typical_seconds: 125.4 }],
  ["42% done.", { ...running, progress: 0.42 }],
  ["42% done.", { ...running, progress: 0.42, typical_seconds: 12 }],
  ["Next in the provider’s queue.", { ...running, queue_position: 0 }],
  ["1,203 ahead in the provider’s queue.", { ...running, queue_position: 1_203, attempts: [refused, open] }],
  ["Waiting for an available provider.", { ...running, attempts: [] }],
  ["Waiting for an available provider.", { ...running, attempts: [skipped] }],
  ["Waiting to retry.", { ...running, attempts: [refused] }],
  ["Waiting for a free slot.", queued],
  ["Waiting to retry.", { ...queued, attempts: [refused] }],
  ["Waiting for a worker.", { ...queued, provider: "worker" }],
  ["Waiting for a free slot at the provider.", { ...queued, wait_reason: "at_capacity" as const }],
  ["Waiting for a provider to recover.", { ...running, wait_reason: "cooling_down" as const, attempts: [refused] }],
  ["Running.", { ...running, wait_reason: "cooling_down" as const }],
  [null, { ...running, status: "awaiting_supply" as const }],
  [null, { ...running, status: "failed" as const }],
])("describes progress as %j", (sentence, generation) => {
  expect(describeProgress(generation, defaultFormats)).toBe(sentence);
});

test("an estimate grows with the time, and never says that the work is finished", () => {
  const shares = [-5, 0, 6, 12, 24, 1_200, 1e9].map((seconds) => estimateProgress(seconds, 12));
  expect(shares.map((share) => Math.round(share * 1000) / 1000)).toEqual([0, 0, 0.45, 0.9, 0.94, 0.979, 0.98]);
  expect(estimateProgress(1, 0)).toBeLessThan(1);
});
