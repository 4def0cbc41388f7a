import type { Outputs } from "../../trpc/outputs";
import type { Formats } from "../../ui/formats";
import type { ChartData } from "./draw-chart";
import type { Measure } from "./read-chart";

type UsageData = Outputs["usage"]["chart"];
type Budget = Outputs["budgets"]["list"][number];

/** A series as a row of the table. */
export interface Row {
  name: string;
  /** Its generations; undefined where no filter finds them, or the person may not open them. */
  href?: string;
  /** The colour of its bars. */
  colour: number;
  billed: number;
  generations: number;
  tokens: number;
}

/** What usage without a value is called, by group. */
const withoutValue: Record<string, string> = { key: "Console", member: "Console and former members" };

/** The colour of values without their own series. */
const OTHERS_COLOUR = 8;

/** Returns what the chart and the table below it show. */
export function describeChart({
  chart,
  by,
  measure,
  budgets,
  formats,
  isLinked,
}: {
  chart: UsageData;
  by: string;
  measure: Measure;
  budgets: Budget[];
  formats: Formats;
  /** Whether the person may open the generations of a series. */
  isLinked: boolean;
}): { label: string; chart: ChartData; rows: Row[] } {
  const { grain, times, series, others } = chart;
  const filters = series.map(({ value }) => (isLinked ? filterOf(by, value) : undefined));
  const named = series.map(({ value, name }, index) => ({
    name: name ?? value ?? withoutValue[by] ?? "None",
    href: filters[index] && `/generations?${filters[index]}&${daysOf(grain, times[0]!, times.at(-1)!)}`,
    colour: index + 1,
    ...series[index]!.total,
  }));
  const rest = others
    ? [{ name: `${formats.number(others.count)} others`, colour: OTHERS_COLOUR, ...others.total }]
    : [];
  return {
    label: `Stacked bars of ${measure === "billed" ? "cost" : measure} by ${grain}. The table below has the figures.`,
    rows: [...named, ...rest],
    chart: {
      times: times.map((time) => nameTime(grain, time, formats)),
      series: [
        ...series.map(({ parts }, index) => ({
          name: named[index]!.name,
          colour: index + 1,
          values: parts.map((part) => part[measure]),
          links: times.map((time) => filters[index] && `/generations?${filters[index]}&${daysOf(grain, time, time)}`),
        })),
        ...(others
          ? [
              {
                name: rest[0]!.name,
                colour: OTHERS_COLOUR,
                values: others.parts.map((part) => part[measure]),
                links: [],
              },
            ]
          : []),
      ],
      lines:
        measure === "billed"
          ? budgets
              .filter(({ window }) => window === grain)
              .map(({ name, amount }) => ({ name: `Budget ${name}`, value: amount }))
          : [],
      format:
        measure === "billed" ? (value) => formats.euros(value, 2, value < 1 ? 4 : 2) : (value) => formats.number(value),
    },
  };
}

/** Returns the filter of the list of generations that finds a value; undefined if none does. */
function filterOf(by: string, value: string | null): string | undefined {
  if (value === null || value === "(other)" || by === "member") return undefined;
  const [name, text] = by.startsWith("metadata.")
    ? ["metadata", `${by.slice("metadata.".length)}=${value}`]
    : [by, value];
  return new URLSearchParams({ [name]: text }).toString();
}

type Grain = UsageData["grain"];

/** Returns the days of a period as filters of the list of generations, which filters by day or more. */
function daysOf(grain: Grain, first: string, last: string): string {
  if (grain !== "month") return `from=${first.slice(0, 10)}&to=${last.slice(0, 10)}`;
  const [year, month] = last.split("-").map(Number);
  return `from=${first}-01&to=${new Date(Date.UTC(year!, month, 0)).toISOString().slice(0, 10)}`;
}

function nameTime(grain: Grain, time: string, { shortDay, locale }: Formats): string {
  if (grain === "day") return shortDay(time);
  if (grain === "hour") return `${time.slice(11, 13)}:00`;
  return new Intl.DateTimeFormat(locale, { month: "short", year: "2-digit", timeZone: "UTC" }).format(
    new Date(`${time}-01`),
  );
}
