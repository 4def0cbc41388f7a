import { expect, test } from "vitest";
import { createAdmission } from "./admission";

/** An admission by a delay and a clock that the test sets. */
function setUp() {
  const state = { delayMs: 0, now: 0 };
  const admission = createAdmission({
    measureDelayMs: () => state.delayMs,
    maxDelayMs: 100,
    clock: () => state.now,
  });
  const admit = (caller: string, count = 1) => Array.from({ length: count }, () => admission.admit(caller));
  const isAdmitted = (caller: string) => {
    const release = admission.admit(caller);
    release?.();
    return release !== null;
  };
  const becomeLate = (delayMs: number) => {
    state.delayMs = delayMs;
    isAdmitted("probe");
    state.now += 100;
  };
  return { state, admit, isAdmitted, becomeLate };
}

test("admits everybody while work waits briefly, or for a moment", () => {
  const { state, admit, isAdmitted } = setUp();
  admit("busy", 1_000);
  expect(isAdmitted("busy")).toBe(true);
  state.delayMs = 1_000;
  expect(isAdmitted("busy")).toBe(true);
  state.now += 99;
  expect(isAdmitted("busy")).toBe(true);
  state.delayMs = 0;
  expect(isAdmitted("busy")).toBe(true);
  state.delayMs = 1_000;
  state.now += 99;
  expect(isAdmitted("busy")).toBe(true);
});

test("admits everybody while few requests are under way, however long they wait", () => {
  const { admit, isAdmitted, becomeLate } = setUp();
  admit("busy", 255);
  becomeLate(10_000);
  expect(isAdmitted("busy")).toBe(true);
  admit("new");
  expect(isAdmitted("busy")).toBe(false);
});

test("rejects who has many requests under way first, and admits them again when fewer are", () => {
  const { admit, isAdmitted, becomeLate } = setUp();
  const releases = admit("busy", 300);
  admit("calm");
  becomeLate(200);
  expect(isAdmitted("busy")).toBe(false);
  for (const caller of ["calm", "new"]) expect(isAdmitted(caller)).toBe(true);
  for (const release of releases) release!();
  expect(isAdmitted("busy")).toBe(true);
});

test("rejects everybody while work waits very long", () => {
  const { state, admit, isAdmitted, becomeLate } = setUp();
  admit("busy", 300);
  becomeLate(600);
  expect(isAdmitted("new")).toBe(false);
  state.delayMs = 100;
  expect(isAdmitted("new")).toBe(true);
});

test("forgets a delay that was long ago", () => {
  const { state, admit, isAdmitted, becomeLate } = setUp();
  admit("busy", 300);
  becomeLate(1_000);
  expect(isAdmitted("new")).toBe(false);
  state.now += 1_001;
  expect(isAdmitted("new")).toBe(true);
});
