"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Root } from "@/server/trpc/root";
import { useTRPC } from "../../trpc/client";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { TimeAgo } from "../../ui/time-ago";

type Warning = inferRouterOutputs<Root>["overview"]["summary"]["warnings"][number];

const EVERY_MS = 15_000;

/** What needs care, each with what to do about it. */
export function Warnings() {
  const { data } = useQuery({ ...useTRPC().overview.summary.queryOptions(), refetchInterval: EVERY_MS });
  if (!data || data.warnings.length === 0) return null;
  return (
    <section aria-label="Needs your care" className="rounded-xl border border-warning bg-warning-wash text-sm">
      <ul className="divide-y divide-warning/25">
        {data.warnings.map((warning, index) => {
          const { text, href, step } = tell(warning);
          return (
            <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-warning">
              <TriangleAlert size={16} aria-hidden className="shrink-0" />
              <span className="min-w-0 flex-1 basis-56 leading-6 wrap-anywhere">{text}</span>
              <Link
                href={href}
                className="inline-flex min-h-8 items-center font-medium underline pointer-coarse:min-h-11"
              >
                {step}
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const resets = { day: "today", month: "this month" };

function tell(warning: Warning): { text: ReactNode; href: string; step: string } {
  switch (warning.kind) {
    case "no_credit":
      return {
        text: "There is no credit available: new work is refused. The operator of this hub grants credit.",
        href: "/balance",
        step: "Look at the balance",
      };
    case "low_credit":
      return {
        text: `Credit is low: at the pace of the last week it is gone in ${tellDays(warning.days_left)}. The operator of this hub grants more.`,
        href: "/balance",
        step: "Look at the balance",
      };
    case "failing_webhook":
      return {
        text: (
          <>
            {new URL(warning.url).host} does not take its webhooks:{" "}
            {warning.status === null ? "there was no answer" : `it answered ${warning.status}`},{" "}
            <TimeAgo at={warning.at} />.
          </>
        ),
        href: `/webhooks/${warning.id}`,
        step: "Look at its deliveries",
      };
    case "key_limit":
      return {
        text: (
          <>
            The key “{warning.name}” has spent <Money euros={warning.spent} /> of the{" "}
            <Money euros={warning.spend_limit} /> that it may{warning.reset && ` ${resets[warning.reset]}`}. Beyond that
            its calls are refused.
          </>
        ),
        href: "/keys",
        step: "Create another key",
      };
    case "key_expiry":
      return {
        text: (
          <>
            The key “{warning.name}” expires <TimeAgo at={warning.expires_at} />.
          </>
        ),
        href: "/keys",
        step: "Create its successor",
      };
    case "awaiting_files":
      return {
        text: "Some generations wait for files that are not there yet.",
        href: "/generations?status=awaiting_supply",
        step: "See which files",
      };
  }
}

const tellDays = (days: number) => (days < 1 ? "less than a day" : days === 1 ? "a day" : `${days} days`);
