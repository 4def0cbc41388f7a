"use client";

import { useState } from "react";
import { FilterDate, FilterSelect } from "./filter";

const DAY_MS = 86_400_000;
const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

interface Range {
  from: string;
  to: string;
}

/** Returns the ranges of days (UTC) that have names, on the day of `now`. A range that includes today has no end. */
export function listDatePresets(now: Date): (Range & { label: string })[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const ago = (days: number) => toDay(now.getTime() - days * DAY_MS);
  return [
    { label: "Any", from: "", to: "" },
    { label: "Today", from: ago(0), to: "" },
    { label: "Yesterday", from: ago(1), to: ago(1) },
    { label: "Last 7 days", from: ago(6), to: "" },
    { label: "Last 30 days", from: ago(29), to: "" },
    { label: "This month", from: toDay(Date.UTC(year, month)), to: "" },
    { label: "Last month", from: toDay(Date.UTC(year, month - 1)), to: toDay(Date.UTC(year, month, 0)) },
  ];
}

const CUSTOM = "Custom";

interface Props {
  from: string | undefined;
  to: string | undefined;
  onChange: (name: "from" | "to", value: string) => void;
}

/** Filters a list by a named range of days, or by two days. */
export function FilterDates({ from = "", to = "", onChange }: Props) {
  const [isCustom, setCustom] = useState(false);
  const presets = listDatePresets(new Date());
  // Two ranges are equal on some days, such as today and this month on its first day.
  const [chosen, setChosen] = useState("");
  const fitting = presets.filter((preset) => preset.from === from && preset.to === to);
  const preset = isCustom ? undefined : (fitting.find(({ label }) => label === chosen) ?? fitting[0]);
  const choose = (label: string) => {
    setChosen(label);
    setCustom(label === CUSTOM);
    const range = presets.find((one) => one.label === label);
    if (!range) return;
    onChange("from", range.from);
    onChange("to", range.to);
  };
  return (
    <>
      <FilterSelect label="Dates" value={preset?.label ?? CUSTOM} onChange={(event) => choose(event.target.value)}>
        {[...presets.map(({ label }) => label), CUSTOM].map((label) => (
          <option key={label}>{label}</option>
        ))}
      </FilterSelect>
      {!preset && (
        <>
          <FilterDate label="From" value={from} max={to} onChange={(event) => onChange("from", event.target.value)} />
          <FilterDate label="To" value={to} min={from} onChange={(event) => onChange("to", event.target.value)} />
        </>
      )}
    </>
  );
}
