"use client";

import { NEVER_EXPIRES } from "@/server/domain/files/never-expires";
import { useEffect, useState } from "react";
import { useFormats } from "./formats-context";

interface Props {
  euros: number;
  /** Shows every decimal place, for amounts that are added up. */
  exact?: boolean;
  /** Shows exactly this many decimal places, so that the amounts of a column align. */
  decimals?: number;
  className?: string;
}

const MAX_DECIMALS = 9;

/** Renders an amount in EUR, rounded for reading, with all nine decimal places in its tooltip. */
export function Money({ euros, exact: isExact, decimals, className = "" }: Props) {
  const format = useFormats().euros;
  const exact = format(euros, 2, MAX_DECIMALS);
  const size = Math.abs(euros);
  // Two decimal places would show small amounts as zero.
  const short = () => format(euros, 2, size < 1 ? 4 : 2);
  const text = decimals !== undefined ? format(euros, decimals, decimals) : undefined;
  return (
    <span className={`tabular-nums ${className}`} title={exact}>
      {text ?? (isExact || (size > 0 && size < 0.0001) ? exact : short())}
    </span>
  );
}

/** Returns how many decimal places show each of the amounts in full: two to nine. */
export const countDecimals = (amounts: number[]): number =>
  Math.max(2, ...amounts.map((euros) => euros.toFixed(MAX_DECIMALS).replace(/^[^.]*\.|0+$/g, "").length));

interface MoneyLinesProps {
  /** An amount is null while it is unknown. */
  lines: { name: string; euros: number | null }[];
}

/** Lists labelled amounts. */
export const MoneyLines = ({ lines }: MoneyLinesProps) => (
  <dl className="grid gap-2 text-sm">
    {lines.map(({ name, euros }) => (
      <div key={name} className="flex justify-between gap-3">
        <dt className="text-soft">{name}</dt>
        <dd className="font-medium">{euros === null ? "—" : <Money euros={euros} />}</dd>
      </div>
    ))}
  </dl>
);

/** Renders a relative time that updates itself, with the exact time in its tooltip, of the browser's zone and in UTC. */
export function TimeAgo({ at }: { at: string }) {
  const { dateTime } = useFormats();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  // The time may differ between server and browser rendering.
  return (
    <time dateTime={at} title={`${dateTime(at)} · ${formatUtc(at)}`} suppressHydrationWarning>
      {formatDistance(new Date(at).getTime() - now)}
    </time>
  );
}

const units = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Returns a relative time: "3 minutes ago", "in 2 days", or "just now" within a minute. */
export function formatDistance(ms: number): string {
  const [unit, length] = units.find(([, size]) => Math.abs(ms) >= size) ?? [];
  if (!unit) return ms > 0 ? "in a moment" : "just now";
  return words.format(Math.trunc(ms / length), unit);
}

/** Shows when a file expires, worded to follow "expires". */
export const Expiry = ({ at }: { at: string }) =>
  at === NEVER_EXPIRES ? <span>with its character</span> : <TimeAgo at={at} />;

/** Renders a number with at most this many decimal places, none by default. */
export const Count = ({ value, maxDecimals }: { value: number; maxDecimals?: number }) =>
  useFormats().number(value, maxDecimals);

/** Renders a size in bytes. */
export const Bytes = ({ value }: { value: number }) => useFormats().bytes(value);

/** Renders a duration in milliseconds. */
export const Duration = ({ ms }: { ms: number }) => useFormats().duration(ms);

/** Renders an exact time, with UTC in its tooltip. */
export const DateTime = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatUtc(at)} className="tabular-nums">
    {useFormats().dateTime(at)}
  </time>
);

/** Returns a time in UTC, as in the API's responses. */
export const formatUtc = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
