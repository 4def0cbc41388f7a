import { expect, test } from "vitest";
import { listDatePresets } from "@/app/ui/filter-dates";

const rangesOn = (day: string) =>
  Object.fromEntries(listDatePresets(new Date(`${day}T00:30:00Z`)).map(({ label, from, to }) => [label, [from, to]]));

test("names ranges of days in UTC, across months and years", () => {
  expect(rangesOn("2026-03-01")).toEqual({
    Any: ["", ""],
    Today: ["2026-03-01", ""],
    Yesterday: ["2026-02-28", "2026-02-28"],
    "Last 7 days": ["2026-02-23", ""],
    "Last 30 days": ["2026-01-31", ""],
    "This month": ["2026-03-01", ""],
    "Last month": ["2026-02-01", "2026-02-28"],
  });
  expect(rangesOn("2026-01-15")["Last month"]).toEqual(["2025-12-01", "2025-12-31"]);
});
