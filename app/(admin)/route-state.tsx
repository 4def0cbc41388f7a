"use client";

import { Badge } from "../ui/badge";
import { useNow } from "../ui/values";
import type { RouteReport } from "./types";

const reasons: Record<string, string> = {
  account: "its key, credit or model is rejected",
  capacity: "provider at its limit",
  outage: "provider unreachable",
};

const MINUTE_MS = 60_000;

/** Returns why and for how long a route is paused: "Paused for 2 more minutes: provider unreachable". */
function describePause({ reason, open_until }: RouteReport, now: number): string {
  const cause = reasons[reason ?? ""] ?? "it failed";
  const minutes = Math.ceil((Date.parse(open_until!) - now) / MINUTE_MS);
  if (minutes <= 0) return `Next job is a trial: ${cause} before`;
  return `Paused for ${minutes} more ${minutes === 1 ? "minute" : "minutes"}: ${cause}`;
}

/** Shows whether a route is used. A pause ends by the clock of this browser, before the hub reports it. */
export function RouteState({ route }: { route: RouteReport }) {
  const now = useNow();
  if (route.state === "usable") return <Badge tone="good">Usable</Badge>;
  return (
    <Badge tone={route.state === "trial" ? "warning" : "danger"}>
      <span suppressHydrationWarning className="whitespace-normal">
        {describePause(route, now)}
      </span>
    </Badge>
  );
}
