"use client";

import { formatPairs } from "@/server/domain/labels/pairs";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTRPC } from "../../../trpc/client";
import { pollUnlessQuiet } from "../../../trpc/quiet-page";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { usePermission } from "../../../ui/access-context";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { Form, FormError } from "../../../ui/form";
import { BackLink, Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { NotLoaded } from "../../../ui/not-loaded";
import { PageHeader } from "../../../ui/page-header";
import { Segments } from "../../../ui/segments";
import { useSearch } from "../../../ui/use-search";
import { Count, TimeAgo, TimeUntil } from "../../../ui/values";
import { DayChart } from "../../overview/day-chart";
import { periods, readDays } from "../../overview/read-days";
import { keyFieldNames, KeyFields, readKeyFields } from "../key-fields";
import { KeyState } from "../key-state";
import { describePeriod, Spending } from "../spending";
import type { Key } from "../types";
import { KeyActions } from "./key-actions";

const POLL_INTERVAL_MS = 15_000;

export function KeyDetail({ id }: { id: string }) {
  const { data: key } = useQuery({
    ...useTRPC().keys.get.queryOptions({ id }),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  if (!key) return null;
  const isRevoked = key.revoked_at !== null;
  const canEdit = usePermission("develop");
  return (
    <>
      <BackLink href="/keys">API keys</BackLink>
      <PageHeader title={key.name} action={!isRevoked && <KeyActions apiKey={key} />}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="font-mono text-xs">{key.prefix}…</code>
          <KeyState apiKey={key} />
          {key.require_idempotency && <Badge>Idempotency required</Badge>}
        </span>
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-rows-[auto_1fr] lg:items-start">
        <KeyUsage id={id} />
        <div className="min-w-0 lg:row-span-2">
          <Card title="Details">
            <KeyInfo apiKey={key} />
          </Card>
        </div>
        {!isRevoked && canEdit && (
          <Card title="Settings">
            <EditKey apiKey={key} />
          </Card>
        )}
      </div>
    </>
  );
}

/** Edits a key's name, expiry, limit, models and labels. */
function EditKey({ apiKey }: { apiKey: Key }) {
  const update = useHubMutation((trpc) => trpc.keys.update, {
    invalidates: (trpc) => [trpc.keys.pathFilter()],
    showsError: true,
    successToast: "Key updated.",
  });
  const errors = errorsOf(update.error);
  return (
    <Form
      onSubmit={(fields) => update.mutate({ id: apiKey.id, ...readKeyFields(fields, apiKey) })}
      error={update.error}
    >
      <KeyFields errors={errors} apiKey={apiKey} />
      <p className="text-xs leading-5 text-soft">
        Changes apply to the next request. If the limit is below the current spend, only new requests are rejected.
      </p>
      <FormError>{errors?.messageUnlessAt(...keyFieldNames)}</FormError>
      <Button needs="develop" kind="primary" type="submit" busy={update.isPending} className="sm:justify-self-start">
        Save changes
      </Button>
    </Form>
  );
}

const linkClass = "text-accent underline";

/** Lists a key's spend, use and permissions. */
function KeyInfo({ apiKey: key }: { apiKey: Key }) {
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
      <LabelRows apiKey={key} />
      <RateRows apiKey={key} />
      {previousEnds && (
        <Row name="Previous secret">
          <code className="font-mono text-xs">{key.previous_prefix}…</code> works until{" "}
          <TimeUntil at={key.previous_expires_at!} />
        </Row>
      )}
      <Row name="Rejected requests">
        {rejected && rejected.count > 0 ? (
          <Link href={`/requests?show=rejected&key=${key.id}`} className={linkClass}>
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

const LabelRows = ({ apiKey: { metadata, require_end_user, allow_high_priority, keeps_nothing } }: { apiKey: Key }) => (
  <>
    {metadata && <Row name="Metadata">{formatPairs(metadata)}</Row>}
    {require_end_user && <Row name="End user">Required</Row>}
    {!allow_high_priority && <Row name="High priority">Not allowed</Row>}
    {keeps_nothing && <Row name="Content">Erased after use</Row>}
  </>
);

/** Lists the limits per minute and the addresses that a key has. */
const RateRows = ({ apiKey: key }: { apiKey: Key }) => (
  <>
    {key.requests_per_minute !== null && (
      <Row name="Requests per minute">
        <Count value={key.requests_per_minute} />
      </Row>
    )}
    {key.tokens_per_minute !== null && (
      <Row name="Tokens per minute">
        <Count value={key.tokens_per_minute} />
      </Row>
    )}
    {key.allowed_ips && <Row name="Allowed IP addresses">{key.allowed_ips.join(", ")}</Row>}
  </>
);

const EndTime = ({ at }: { at: string | null }) => (at ? <TimeUntil at={at} /> : "Never");

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex flex-wrap justify-between gap-x-4 gap-y-1">
    <dt className="text-soft">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
);

const USAGE_POLL_INTERVAL_MS = 30_000;

const periodOptions = periods.map((days) => ({ value: String(days), label: `${days} days` }));

/** Shows a key's spend by day over the chosen period. */
function KeyUsage({ id }: { id: string }) {
  const { read, change } = useSearch();
  const days = readDays(read("days"));
  const query = useQuery({
    ...useTRPC().keys.spend.queryOptions({ id, days }),
    placeholderData: keepPreviousData,
    refetchInterval: () => pollUnlessQuiet(USAGE_POLL_INTERVAL_MS),
  });
  const { data } = query;
  return (
    <Card
      title="Usage"
      action={
        <Segments
          label="Period"
          options={periodOptions}
          value={String(days)}
          onChange={(value) => change("days", value)}
        />
      }
    >
      {!data && <NotLoaded what="Usage" query={query} />}
      {data && (
        <>
          <p className="text-2xl font-semibold tracking-tight">
            <Money euros={data.spent} />
          </p>
          <p className="mt-1 text-xs text-soft">
            <Count value={data.count} /> billed {data.count === 1 ? "generation" : "generations"} in the last{" "}
            {data.days.length} days (UTC)
          </p>
          <DayChart days={data.days} hrefOf={(day) => `/generations?key=${id}&from=${day}&to=${day}`} />
        </>
      )}
    </Card>
  );
}
