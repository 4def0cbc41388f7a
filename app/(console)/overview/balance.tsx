"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { useFormats } from "../../ui/formats-context";
import { Money } from "../../ui/money";

const POLL_INTERVAL_MS = 5_000;

export function Balance() {
  const { data } = useQuery({
    ...useTRPC().account.get.queryOptions(),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const parts = [
    { name: "Available", euros: data?.available, about: "Ready to spend" },
    { name: "Reserved", euros: data?.held, about: "For running generations" },
    { name: "Balance", euros: data?.balance, about: "Credit minus charges" },
  ];
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-3 gap-2 sm:gap-3">
        {parts.map(({ name, euros, about }) => (
          <div key={name} className="min-w-0 rounded-xl border border-line bg-raised p-3 sm:p-5">
            <dt className="text-xs text-soft sm:text-sm">{name}</dt>
            <dd className="mt-1 text-base font-semibold tracking-tight wrap-anywhere sm:text-2xl">
              {typeof euros !== "number" ? "—" : <Money euros={euros} />}
            </dd>
            <dd className="mt-1 text-xs text-soft max-sm:hidden">{about}</dd>
          </div>
        ))}
      </dl>
      {(data?.promotional ?? 0) > 0 && (
        <p className="text-sm text-soft">
          <Money euros={data!.promotional!} /> of it is promotional credit, which is spent first and cannot be refunded.
        </p>
      )}
      <Forecast />
    </div>
  );
}

const FORECAST_POLL_INTERVAL_MS = 60_000;
const MAX_FORECAST_DAYS = 365;

/** Estimates how long the credit lasts; renders nothing while that is unknown. */
function Forecast() {
  const { data: days } = useQuery({
    ...useTRPC().balance.daysLeft.queryOptions(),
    refetchInterval: () => pollUnlessQuiet(FORECAST_POLL_INTERVAL_MS),
  });
  const { number } = useFormats();
  if (days === null || days === undefined) return null;
  const text =
    days < 1
      ? "less than a day"
      : days > MAX_FORECAST_DAYS
        ? "more than a year"
        : `about ${days === 1 ? "a day" : `${number(days)} days`}`;
  return <p className="text-sm text-soft">At the pace of the last 7 days, your credit lasts {text}.</p>;
}
