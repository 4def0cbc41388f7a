import type { ReadSearch } from "../../ui/search";

export const periods = [
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
  { value: "month", label: "This month" },
  { value: "30d", label: "30 days" },
  { value: "90d", label: "90 days" },
  { value: "12m", label: "12 months" },
] as const;

export const measures = [
  { value: "billed", label: "Cost" },
  { value: "generations", label: "Generations" },
  { value: "tokens", label: "Tokens" },
] as const;
export type Measure = (typeof measures)[number]["value"];

const groups = ["model", "key", "member", "end_user"];
const METADATA = /^metadata\.[A-Za-z0-9_.-]{1,64}$/;

/** Returns what the page draws, from the URL, without invalid values. */
export function readChart(read: ReadSearch) {
  const by = read("by") ?? "";
  return {
    period: periods.find(({ value }) => value === read("period"))?.value ?? "30d",
    by: groups.includes(by) || METADATA.test(by) ? by : "model",
  };
}

export const readMeasure = (read: ReadSearch): Measure =>
  measures.find(({ value }) => value === read("measure"))?.value ?? "billed";
