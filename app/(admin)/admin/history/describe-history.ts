import type { ChartData } from "../../../(console)/usage/draw-chart";
import type { Formats } from "../../../ui/formats";
import type { History } from "../../types";
import { type Measure, measures } from "./read-history";

/** The colour of values without their own series. */
const OTHERS_COLOUR = 8;
/** Measures that add up to the total of all series, and so are drawn as stacked bars. */
const sums: readonly Measure[] = ["requests", "margin"];

export const colourOf = (name: string | null, index: number): number => (name === null ? OTHERS_COLOUR : index + 1);
export const nameOf = (name: string | null): string => name ?? "Others";

/** Returns the chart of a measure of the attempts. */
export function describeWork({ times, series }: History["work"], measure: Measure, formats: Formats): ChartData {
  return {
    times: times.map((time) => nameTime(time, times, formats)),
    series: series.map(({ name, parts }, index) => ({
      name: nameOf(name),
      colour: colourOf(name, index),
      values: parts.map((part) => part?.[measure] ?? (sums.includes(measure) ? 0 : null)),
      links: [],
      isCurve: !sums.includes(measure),
    })),
    lines: [],
    format: formatOf(measure, formats),
  };
}

function formatOf(measure: Measure, formats: Formats): (value: number) => string {
  if (measure === "requests") return (value) => formats.number(value);
  if (measure === "success_rate") return (value) => formats.percent(value);
  if (measure === "margin") return (value) => formats.euros(value, 2, Math.abs(value) < 1 ? 4 : 2);
  return (value) => formats.duration(value);
}

export const labelOf = (measure: Measure, by: string): string => {
  const { label } = measures.find(({ value }) => value === measure)!;
  return `${label} by ${by}. The table below has the figures.`;
};

/** Returns the chart of the load. */
export function describeLoad({ times, queued, running, workers }: History["load"], formats: Formats): ChartData {
  const curves = [
    { name: "Queued", colour: 2, values: queued },
    { name: "Running", colour: 1, values: running },
    { name: "Workers online", colour: 3, values: workers },
  ];
  return {
    times: times.map((time) => nameTime(time, times, formats)),
    series: curves.map((curve) => ({ ...curve, links: [], isCurve: true })),
    lines: [],
    format: (value) => formats.number(value),
  };
}

const DAY_MS = 86_400_000;

/** Returns the hour of a time within a day, otherwise its day (UTC). */
function nameTime(time: string, times: string[], { shortDay }: Formats): string {
  const spanMs = Date.parse(times.at(-1)!) - Date.parse(times[0]!);
  const hour = `${time.slice(11, 16)}`;
  if (spanMs <= DAY_MS) return hour;
  return hour === "00:00" ? shortDay(time.slice(0, 10)) : `${shortDay(time.slice(0, 10))} ${hour}`;
}
