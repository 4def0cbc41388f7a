"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "../../../trpc/client";
import { Count } from "../../../ui/formats-context";
import { Link } from "../../../ui/link";
import { TimeAgo } from "../../../ui/time-ago";
import { describePeriod, Spending } from "../spending";
import type { Key } from "../types";

const linkClass = "text-accent underline";

/** Lists what a key has spent, how it is used, and what it may do. */
export function KeyInfo({ apiKey: key }: { apiKey: Key }) {
  const { data: rejected } = useQuery(useTRPC().requests.countByKey.queryOptions({ id: key.id }));
  const previousEnds = key.previous_expires_at && new Date(key.previous_expires_at).getTime() > Date.now();
  return (
    <dl className="grid gap-3 text-sm">
      <Row name={key.spend_limit === null ? `Spent ${describePeriod(key)}` : "Spend limit"}>
        <Spending apiKey={key} />
      </Row>
      <Row name="Last used">{key.last_used_at ? <TimeAgo at={key.last_used_at} /> : "Never"}</Row>
      <Row name="Created">
        <TimeAgo at={key.created_at} />
      </Row>
      <Row name={key.revoked_at ? "Revoked" : "Expires"}>
        <EndTime at={key.revoked_at ?? key.expires_at} />
      </Row>
      <Row name="Models">{key.allowed_models?.join(", ") ?? "All"}</Row>
      {previousEnds && (
        <Row name="Previous secret">
          <code className="font-mono text-xs">{key.previous_prefix}…</code> works until{" "}
          <TimeAgo at={key.previous_expires_at!} />
        </Row>
      )}
      <Row name="Rejected requests">
        {rejected && rejected.count > 0 ? (
          <Link href={`/requests?key=${key.id}`} className={linkClass}>
            {rejected.isMore && "Over "}
            <Count value={rejected.count} /> in 7 days
          </Link>
        ) : (
          "None in 7 days"
        )}
      </Row>
      <Row name="Generations">
        <Link href={`/generations?key=${key.id}`} className={linkClass}>
          View generations
        </Link>
      </Row>
    </dl>
  );
}

const EndTime = ({ at }: { at: string | null }) => (at ? <TimeAgo at={at} /> : "Never");

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
);
