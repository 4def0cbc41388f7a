"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import type { Outputs } from "../../trpc/outputs";
import { usePermission } from "../../ui/access-context";
import { Card } from "../../ui/card";
import { useFormats } from "../../ui/formats-context";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { NotLoaded } from "../../ui/not-loaded";
import { Segments } from "../../ui/segments";
import { useSearch } from "../../ui/use-search";
import { Count } from "../../ui/values";
import { DayChart } from "./day-chart";
import { periods, readDays } from "./read-days";

const POLL_INTERVAL_MS = 30_000;

const options = periods.map((days) => ({ value: String(days), label: `${days} days` }));

/** Shows spend over the chosen period, by day, model and API key. */
export function Spend() {
  const { read, change } = useSearch();
  const days = readDays(read("days"));
  const query = useQuery({
    ...useTRPC().overview.spend.queryOptions({ days }),
    placeholderData: keepPreviousData,
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
    refetchOnWindowFocus: "always",
  });
  const canRead = usePermission("read");
  const { data } = query;
  return (
    <Card
      flush
      title="Spend"
      action={
        <Segments label="Period" options={options} value={String(days)} onChange={(value) => change("days", value)} />
      }
    >
      {!data && <NotLoaded what="Spend" query={query} />}
      {data && (
        <>
          <div className="p-5">
            <p className="text-2xl font-semibold tracking-tight">
              <Money euros={data.spent} />
            </p>
            <p className="mt-1 text-xs text-soft">
              <Count value={data.count} /> billed {data.count === 1 ? "generation" : "generations"} in the last{" "}
              {data.days.length} days (UTC)
            </p>
            <DayChart days={data.days} hrefOf={canRead ? (day) => `/generations?from=${day}&to=${day}` : undefined} />
          </div>
          {data.count > 0 && (
            <>
              <Breakdowns data={data} />
              <p className="border-t border-line px-5 py-3 text-sm text-soft">
                See spend by{" "}
                <Link href="/usage?by=end_user" className="touch-target text-accent underline">
                  end user
                </Link>{" "}
                or{" "}
                <Link href="/usage?by=member" className="touch-target text-accent underline">
                  member
                </Link>
                .
              </p>
            </>
          )}
        </>
      )}
    </Card>
  );
}

type SpendData = Outputs["overview"]["spend"];

/** Shows the spend by model and by key, each linked to its generations of these days for people who may read them. */
function Breakdowns({ data }: { data: SpendData }) {
  const canRead = usePermission("read");
  const period = `from=${data.days[0]!.day}&to=${data.days.at(-1)!.day}`;
  return (
    <div className="grid border-t border-line md:grid-cols-2 md:divide-x md:divide-line max-md:divide-y max-md:divide-line">
      <SpendBreakdown
        title="By model"
        total={data.spent}
        parts={data.models.dearest.map(({ model, ...sum }) => ({
          ...sum,
          name: model,
          href: canRead ? `/generations?model=${encodeURIComponent(model)}&${period}` : undefined,
        }))}
        others={othersOf(data.models.others)}
      />
      <SpendBreakdown
        title="By key"
        total={data.spent}
        parts={data.keys.dearest.map(({ key, ...sum }) => ({
          ...sum,
          id: key?.id,
          // No filter finds only the generations of the console.
          href: key && canRead ? `/generations?key=${key.id}&${period}` : undefined,
          name: key?.name ?? "Console",
        }))}
        others={othersOf(data.keys.others)}
      />
    </div>
  );
}

type Others = SpendData["models"]["others"];

const othersOf = (others: Others) => others && { spent: others.spent, count: others.count, parts: others.of };

interface Part {
  /** Distinguishes parts of the same name. */
  id?: string;
  name: string;
  href?: string;
  spent: number;
  count: number;
}

interface Props {
  title: string;
  total: number;
  parts: Part[];
  /** The sum of the parts that are not listed. */
  others: { spent: number; count: number; parts: number } | null;
}

/** Lists the parts of a sum, largest first, each with a bar. */
const SpendBreakdown = ({ title, total, parts, others }: Props) => {
  const all: Part[] = others ? [...parts, { ...others, id: "others", name: `${others.parts} others` }] : parts;
  const max = Math.max(...all.map(({ spent }) => spent));
  return (
    <div className="min-w-0 p-5">
      <h3 className="text-xs font-medium text-soft">{title}</h3>
      <ul className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-3" aria-label={`Spend ${title.toLowerCase()}`}>
        {all.map(({ id, name, href, spent, count }) => (
          <li key={id ?? name} className="text-sm">
            <div className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 font-medium" title={name}>
                {href ? (
                  <Link href={href} className="touch-target block truncate hover:underline">
                    {name}
                  </Link>
                ) : (
                  <span className="block truncate">{name}</span>
                )}
              </span>
              <span className="text-xs text-soft tabular-nums">
                <Count value={count} />×
              </span>
              <Money euros={spent} />
              <span className="w-10 text-right text-xs text-soft tabular-nums">
                <Share value={spent / total} />
              </span>
            </div>
            <div aria-hidden className="mt-1.5 h-1.5 rounded-full bg-sunken">
              <div className="h-full min-w-1 rounded-full bg-accent" style={{ width: `${(100 * spent) / max}%` }} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
};

function Share({ value }: { value: number }) {
  const { percent } = useFormats();
  return value < 0.005 ? `<${percent(0.01)}` : percent(value);
}
