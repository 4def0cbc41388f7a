"use client";

import { useEffect, useState } from "react";
import { formatDistance } from "./format-distance";

/** A time as its distance from now, kept true while it is looked at; the exact time on hover. */
export function TimeAgo({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  // A second may pass between the server's rendering and the browser's.
  return (
    <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`} suppressHydrationWarning>
      {formatDistance(new Date(at).getTime() - now)}
    </time>
  );
}
