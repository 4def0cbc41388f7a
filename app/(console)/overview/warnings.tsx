"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import type { Outputs } from "../../trpc/outputs";
import { usePermission } from "../../ui/access-context";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { TimeAgo, TimeUntil } from "../../ui/values";
import { type CreditSource, useCreditSource } from "./credit-source";
import { shortenUrl } from "../webhooks/describe-delivery";

type Warning = Outputs["overview"]["summary"]["warnings"][number];

const POLL_INTERVAL_MS = 15_000;

/** Shows warnings about the account, each with a next step. */
export function Warnings() {
  const { data } = useQuery({
    ...useTRPC().overview.summary.queryOptions(),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const source = useCreditSource(data?.takes_payments ?? false);
  const canOpenBalance = usePermission("billing");
  // An account that can still get trial credit is asked to verify its address instead.
  const warnings = data?.warnings.filter(({ kind }) => kind !== "no_credit" || data.trial_credit === null) ?? [];
  if (warnings.length === 0) return null;
  return (
    <section aria-label="Needs attention" className="rounded-xl border border-warning bg-warning-wash text-sm">
      <ul className="divide-y divide-warning/25">
        {warnings.map((warning, index) => {
          const { text, href, action } = describeWarning(warning, source);
          return (
            <li key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3 text-warning">
              <TriangleAlert size={16} aria-hidden className="shrink-0" />
              <span className="min-w-0 flex-1 basis-56 leading-6 wrap-anywhere">{text}</span>
              {(href !== "/balance" || canOpenBalance) && (
                <Link
                  href={href}
                  className="inline-flex min-h-8 items-center font-medium underline pointer-coarse:min-h-11"
                >
                  {action}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const resets = { day: "for today", month: "for this month" };

function describeWarning(
  warning: Warning,
  { advice, canTopUp }: CreditSource,
): { text: ReactNode; href: string; action: string } {
  switch (warning.kind) {
    case "no_credit":
      return {
        text: `You have no credit, so new generations are rejected. ${advice}`,
        href: "/balance",
        action: canTopUp ? "Top up" : "View balance",
      };
    case "low_credit":
      return {
        text: `Credit is low: at last week’s pace it runs out in ${formatDaysLeft(warning.days_left)}. ${advice}`,
        href: "/balance",
        action: canTopUp ? "Top up" : "View balance",
      };
    case "failing_webhook":
      return {
        text: (
          <>
            Webhook deliveries to {shortenUrl(warning.url)} are failing:{" "}
            {warning.status === null ? "no response" : `HTTP ${warning.status}`}, <TimeAgo at={warning.at} />.
          </>
        ),
        href: `/webhooks/${warning.id}`,
        action: "View deliveries",
      };
    case "key_limit":
      return {
        text: (
          <>
            The key “{warning.name}” has spent <Money euros={warning.spent} /> of its{" "}
            <Money euros={warning.spend_limit} /> limit{warning.reset && ` ${resets[warning.reset]}`}. Requests over the
            limit are rejected.
          </>
        ),
        href: `/keys/${warning.id}`,
        action: "Change limit",
      };
    case "key_expiry":
      return {
        text: (
          <>
            The key “{warning.name}” expires <TimeUntil at={warning.expires_at} />.
          </>
        ),
        href: `/keys/${warning.id}`,
        action: "Change expiry",
      };
    case "awaiting_files":
      return {
        text: "Some generations are waiting for files you haven’t uploaded.",
        href: "/generations?status=awaiting_supply",
        action: "View generations",
      };
  }
}

const formatDaysLeft = (days: number) => (days < 1 ? "less than a day" : days === 1 ? "a day" : `${days} days`);
