import { expect, test } from "vitest";
import { budgetWindows, getWindowEnd } from "./window";

const endsAt = (at: string) => budgetWindows.map((window) => getWindowEnd(window, new Date(at))?.toISOString() ?? null);

test.each([
  // A Thursday, a Sunday and a Monday; a week may pass the end of a month or a year.
  ["2026-12-31T23:59:59.999Z", "2027-01-01T00:00", "2027-01-01T00:00", "2027-01-04T00:00", "2027-01-01T00:00"],
  ["2026-03-29T12:30:00.000Z", "2026-03-29T13:00", "2026-03-30T00:00", "2026-03-30T00:00", "2026-04-01T00:00"],
  ["2026-03-30T00:00:00.000Z", "2026-03-30T01:00", "2026-03-31T00:00", "2026-04-06T00:00", "2026-04-01T00:00"],
])("the windows that contain %s end where the next ones begin", (at, ...ends) => {
  expect(endsAt(at)).toEqual([...ends.map((end) => `${end}:00.000Z`), null]);
});
