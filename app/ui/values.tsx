"use client";

import { NEVER_EXPIRES } from "@/server/domain/files/never-expires";
import { useEffect, useState } from "react";
import { useFormats } from "./formats-context";

interface TimeProps {
  at: string;
}

/** Renders how long ago something happened. A time that a slow clock of the browser has not reached is "just now". */
export const TimeAgo = ({ at }: TimeProps) => <RelativeTime at={at} maxMs={0} />;

/** Renders how long it is until something happens, or since it did. */
export const TimeUntil = ({ at }: TimeProps) => <RelativeTime at={at} maxMs={Infinity} />;

/** Renders a relative time that updates itself, with the exact time in its tooltip, of the browser's zone and in UTC. */
function RelativeTime({ at, maxMs }: TimeProps & { maxMs: number }) {
  const { dateTime } = useFormats();
  const now = useNow();
  // The time may differ between server and browser rendering.
  return (
    <time dateTime={at} title={`${dateTime(at)} · ${formatUtc(at)}`} suppressHydrationWarning>
      {formatDistance(Math.min(new Date(at).getTime() - now, maxMs))}
    </time>
  );
}

/** Returns the time in ms, renewed every 15 seconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  return now;
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
  at === NEVER_EXPIRES ? <span>with its character</span> : <TimeUntil at={at} />;

/** Renders a number without decimal places. */
export const Count = ({ value }: { value: number }) => useFormats().number(value);

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
const formatUtc = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
