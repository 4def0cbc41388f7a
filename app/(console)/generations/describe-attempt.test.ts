import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { skipReasons } from "@/server/domain/generations/attempts/attempts";
import { Attempts } from "./[id]/attempts";
import { type AttemptRow, countAttempts, describeAttempt } from "./describe-attempt";

const attempt: AttemptRow = {
  id: "1",
  route: "fal:flux",
  provider: "fal",
  reason: "order",
  outcome: "succeeded",
  upstream_status: null,
  cost: null,
  started_at: "2026-11-22T12:00:00.000Z",
  ended_at: "2026-11-22T12:00:03.400Z",
};

test.each(skipReasons)("a route that was passed over says why: %s", (skipped) => {
  const { word, note } = describeAttempt({ ...attempt, outcome: "skipped", skipped });
  expect([word, note]).toEqual(["Skipped", expect.stringMatching(/^Its? .*\.$/)]);
});

test.each([
  [{ outcome: null }, "Running", undefined],
  [{ outcome: "refused" }, "Rejected", "The work did not start."],
  [{ outcome: "lost" }, "Unknown", "It is unknown whether the work was done."],
  [{ outcome: "lost", provider: "worker" }, "Lost", "The worker stopped responding."],
] as const)("describes %o as %s", (changes, word, note) => {
  const text = describeAttempt({ ...attempt, ...changes });
  expect([text.word, text.note]).toEqual([word, note]);
});

test("a skipped route has no times and is not counted", () => {
  const passedOver: AttemptRow = { ...attempt, outcome: "skipped", skipped: "at_capacity" };
  expect(countAttempts([passedOver, attempt])).toBe(1);
  const render = (one: AttemptRow) =>
    renderToStaticMarkup(createElement(Attempts, { generation: { attempts: [one] } }));
  expect(render(passedOver)).toContain("It had no free slot.");
  expect(render(passedOver)).not.toMatch(/3\.4 s|<time/);
  expect(render(attempt)).toMatch(/<time.*3\.4 s/);
});
