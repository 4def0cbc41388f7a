import type { ReadSearch } from "../../../ui/search";

export const periods = [
  { value: "24h", label: "24 hours" },
  { value: "7d", label: "7 days" },
  { value: "30d", label: "30 days" },
] as const;

export const groups = [
  { value: "model", label: "Model" },
  { value: "provider", label: "Provider" },
] as const;

export const measures = [
  { value: "requests", label: "Requests" },
  { value: "success_rate", label: "Success rate" },
  { value: "p50_ms", label: "Median time" },
  { value: "p95_ms", label: "95th percentile" },
  { value: "first_token_p50_ms", label: "First token" },
  { value: "margin", label: "Margin" },
] as const;
export type Measure = (typeof measures)[number]["value"];

const chosen = <Value extends string>(options: readonly { value: Value }[], value: string | null): Value =>
  options.find((option) => option.value === value)?.value ?? options[0]!.value;

/** Returns what the charts draw, from the URL, without invalid values. */
export const readHistory = (read: ReadSearch) => ({
  period: chosen(periods, read("period")),
  by: chosen(groups, read("by")),
});

export const readMeasure = (read: ReadSearch): Measure => chosen(measures, read("measure"));
