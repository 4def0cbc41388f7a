"use client";

import { useEffect, useState } from "react";
import { formatDistance } from "./format-distance";

/** Renders a relative time that updates itself, with the exact time in its tooltip. */
export function TimeAgo({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  // The time may differ between server and browser rendering.
  return (
    <time dateTime={at} title={`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`} suppressHydrationWarning>
      {formatDistance(new Date(at).getTime() - now)}
    </time>
  );
}
