import { expect, test } from "vitest";
import { listPhases } from "./phases";

const at = (ms: number) => new Date(Date.parse("2026-11-22T12:00:00.000Z") + ms).toISOString();
const attempt = (from: number, to: number | null, first_token_ms?: number) => ({
  started_at: at(from),
  ended_at: to === null ? null : at(to),
  first_token_ms,
});
const media = { is_llm: false, created_at: at(0), started_at: at(40), completed_at: at(3_000), attempts: [] };
const wordsOf = (timed: Parameters<typeof listPhases>[0]) => listPhases(timed).map(({ word, ms }) => `${word} ${ms}`);

test("a streamed chat reserves credit, waits for its first token, streams and settles", () => {
  const chat = { ...media, is_llm: true, started_at: at(0), attempts: [attempt(4, 2_990, 300)] };
  expect(wordsOf(chat)).toEqual(["Reserving credit 4", "First token 300", "Streaming 2686", "Settlement 10"]);
});

test("a job that is settled as it ends has no phase for that, and one that was retried has one for earlier attempts", () => {
  expect(wordsOf({ ...media, attempts: [attempt(50, 3_000)] })).toEqual(["Queued 50", "Provider 2950"]);
  expect(wordsOf({ ...media, attempts: [attempt(50, 900), attempt(1_900, 3_000)] })).toEqual([
    "Queued 50",
    "Earlier attempts 1850",
    "Provider 1100",
  ]);
});

test("without attempts, which the operator may hide, a generation has waited and run", () => {
  expect(wordsOf(media)).toEqual(["Queued 40", "Provider 2960"]);
  expect(wordsOf({ ...media, started_at: null })).toEqual(["Queued 3000"]);
  expect(wordsOf({ ...media, is_llm: true, started_at: at(0) })).toEqual(["Provider 3000"]);
});

test("one that has not ended shows what is over", () => {
  expect(wordsOf({ ...media, started_at: null, completed_at: null })).toEqual([]);
  expect(wordsOf({ ...media, completed_at: null })).toEqual(["Queued 40"]);
  expect(wordsOf({ ...media, completed_at: null, attempts: [attempt(50, null)] })).toEqual(["Queued 50"]);
});

test("an end that a later report has moved beyond the settlement makes no phase negative", () => {
  expect(wordsOf({ ...media, attempts: [attempt(50, 3_010)] })).toEqual(["Queued 50", "Provider 2960"]);
});
