"use client";

import { CircleCheck } from "lucide-react";
import { Card } from "../../../ui/card";
import { Notice } from "../../../ui/notice";
import { DateTime, Duration } from "../../../ui/values";
import type { History } from "../../types";

const reasons: Record<string, string> = {
  account: "key, credit or model rejected",
  capacity: "provider at its limit",
  outage: "provider unreachable",
};

/** Draws when each route was paused, with the same times as a list. */
export const BreakerTimeline = ({ breakers: { from, until, routes } }: { breakers: History["breakers"] }) => (
  <Card flush title="Paused routes">
    {routes.length === 0 ? (
      <Notice heading="h3" title="No route was paused" icon={<CircleCheck size={20} />}>
        A route that fails is paused, and appears here.
      </Notice>
    ) : (
      <ul className="divide-y divide-line">
        {routes.map(({ route, provider, pauses }) => (
          <li key={route} className="grid gap-2 px-5 py-4">
            <p className="flex flex-wrap justify-between gap-x-4 text-sm wrap-anywhere">
              <span className="font-medium">{route}</span>
              <span className="text-soft">{provider}</span>
            </p>
            <Strip from={Date.parse(from)} until={Date.parse(until)} pauses={pauses} />
            <details className="text-sm text-soft">
              <summary className="cursor-pointer pointer-coarse:py-3">
                {pauses.length === 1 ? "Paused once" : `Paused ${pauses.length} times`}
              </summary>
              <ul className="mt-2 grid gap-1">
                {pauses.map((pause) => (
                  <li key={pause.from}>
                    <DateTime at={pause.from} />
                    {pause.until ? (
                      <>
                        , for <Duration ms={Date.parse(pause.until) - Date.parse(pause.from)} />
                      </>
                    ) : (
                      ", still paused"
                    )}
                    {pause.reason && `: ${reasons[pause.reason] ?? pause.reason}`}
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    )}
  </Card>
);

interface StripProps {
  from: number;
  until: number;
  pauses: History["breakers"]["routes"][number]["pauses"];
}

/** Draws the period as a bar, on which pauses are red. */
const Strip = ({ from, until, pauses }: StripProps) => {
  const shareOf = (ms: number) => (Math.min(ms, until) - from) / (until - from);
  return (
    <div aria-hidden className="relative h-3 overflow-hidden rounded-full bg-good forced-color-adjust-none">
      {pauses.map((pause) => {
        const start = shareOf(Date.parse(pause.from));
        const end = pause.until ? shareOf(Date.parse(pause.until)) : 1;
        return (
          <span
            key={pause.from}
            className="absolute inset-y-0 min-w-1 bg-danger"
            style={{ left: `${start * 100}%`, width: `${(end - start) * 100}%` }}
          />
        );
      })}
    </div>
  );
};
