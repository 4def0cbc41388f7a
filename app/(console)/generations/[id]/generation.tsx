"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { Badge, StatusBadge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { useFormats } from "../../../ui/formats-context";
import { BackLink } from "../../../ui/link";
import { Money, MoneyLines } from "../../../ui/money";
import { PageHeader } from "../../../ui/page-header";
import { Table, Td, Th } from "../../../ui/table";
import { TimeAgo } from "../../../ui/values";
import { DeliveryList, pollWhilePending } from "../../webhooks/delivery-list";
import { type AttemptRow, describeAttempt, describeReason } from "../describe-attempt";
import { describeBill } from "../describe-bill";
import { GenerationProgress } from "../generation-progress";
import { pollWhileActive } from "../generation-table";
import { OutputGrid } from "../outputs/output-grid";
import { OutputPlaceholder } from "../outputs/output-placeholder";
import type { GenerationDetail } from "../types";
import { useLiveGeneration } from "../use-live-generations";
import { Actions } from "./actions";
import { ChatReply } from "./chat-reply";
import { ErrorDetails } from "./error-details";
import { Input } from "./input";
import { Labels } from "./labels";
import { Timeline } from "./timeline";

export function Generation({ id }: { id: string }) {
  const { data } = useLiveQuery(id);
  if (!data) return null;
  return (
    <>
      <BackLink href="/generations">Generations</BackLink>
      <PageHeader title={data.model} action={<Actions generation={data} />}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span role="status">
            <StatusBadge status={data.status} />
          </span>
          <span className="flex items-center gap-1">
            <code className="font-mono text-xs break-all">{data.id}</code>
            <CopyButton text={data.id} label="Copy ID" iconOnly />
          </span>
        </span>
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">
          <GenerationProgress generation={data} />
          <ErrorDetails generation={data} />
          <Outputs generation={data} />
          <ChatReply generation={data} />
          <Input generation={data} />
          <Attempts generation={data} />
          {data.deliveries.length > 0 && (
            <Card flush title="Webhook deliveries">
              <DeliveryList deliveries={data.deliveries} />
            </Card>
          )}
        </div>
        <div className="grid content-start gap-6">
          <Timeline generation={data} />
          <Cost generation={data} />
          <Labels generation={data} />
        </div>
      </div>
    </>
  );
}

function useLiveQuery(id: string) {
  const [isActive, setActive] = useState(false);
  const isLive = useLiveGeneration(id, isActive);
  const query = useQuery({
    ...useTRPC().generations.get.queryOptions({ id }),
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state: { data } }) =>
      data && pollWhileActive([data], pollWhilePending(data.deliveries), isLive.current),
  });
  const isUnfinished = query.data?.completed_at === null;
  if (isActive !== isUnfinished) setActive(isUnfinished);
  return query;
}

/** Shows what was reserved and billed, and how the amount was calculated. */
function Cost({ generation }: { generation: GenerationDetail }) {
  const { estimated_cost, billed_cost, completed_at } = generation;
  const { sum, tier, reason } = describeBill(generation, useFormats());
  const billed = completed_at === null ? null : (billed_cost ?? 0);
  const lines = [
    ...(billed === null ? [{ name: "Estimate", euros: estimated_cost }] : []),
    { name: "Reserved", euros: estimated_cost },
    { name: "Billed", euros: billed },
    ...(billed !== null && billed < estimated_cost ? [{ name: "Released", euros: estimated_cost - billed }] : []),
  ];
  return (
    <Card title="Cost">
      <MoneyLines lines={lines} />
      <div className="mt-3 grid gap-1 border-t border-line pt-3 text-xs leading-5 text-soft">
        {sum && (
          <p className="wrap-anywhere tabular-nums">
            {sum}
            {tier && `, ${tier}`}.
          </p>
        )}
        <p>{reason}</p>
      </div>
    </Card>
  );
}

/** Shows the outputs of a generation, and a placeholder until they arrive. */
function Outputs({ generation }: { generation: GenerationDetail }) {
  const { outputs, completed_at, is_llm, status, erased_at } = generation;
  const hasNone = is_llm || erased_at !== null || (completed_at && status !== "succeeded");
  if (outputs.length === 0 && hasNone) return null;
  return (
    <Card title={outputs.length > 1 ? `${outputs.length} outputs` : "Output"}>
      {outputs.length > 0 ? <OutputGrid generation={generation} /> : <OutputPlaceholder generation={generation} />}
    </Card>
  );
}

/** Lists every attempt at a provider route, and the skipped routes; without routes and costs if the operator hides them. */
export function Attempts({ generation: { attempts } }: { generation: { attempts: AttemptRow[] } }) {
  if (attempts.length === 0) return null;
  const isHidden = attempts.every(({ route }) => route === null);
  return (
    <Card flush title="Attempts">
      <Table label="Provider attempts">
        <thead>
          <tr>
            {!isHidden && <Th>Route</Th>}
            <Th>Outcome</Th>
            <Th className="max-sm:hidden">Started</Th>
            <Th className="text-right max-sm:hidden">Duration</Th>
            {!isHidden && <Th className="text-right max-sm:hidden">Provider cost</Th>}
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <AttemptLine key={attempt.id} attempt={attempt} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

const LateReport = ({ attempt: { late_report_at } }: { attempt: AttemptRow }) =>
  late_report_at && (
    <span className="mt-1 block text-xs whitespace-normal text-soft">
      Its result arrived <TimeAgo at={late_report_at} /> and was not delivered.
    </span>
  );

function AttemptLine({ attempt }: { attempt: AttemptRow }) {
  const { route, started_at, ended_at, outcome, upstream_status, cost } = attempt;
  const { tone, word, note } = describeAttempt(attempt);
  const reason = describeReason(attempt);
  const formats = useFormats();
  const wasTried = outcome !== "skipped";
  const duration = wasTried && ended_at ? formats.duration(Date.parse(ended_at) - Date.parse(started_at)) : null;
  return (
    <tr>
      {route !== null && (
        <Td className="text-xs max-sm:whitespace-normal">
          <span className="font-mono break-all">{route}</span>
          {reason && <span className="mt-1 block whitespace-normal text-soft">{reason}</span>}
        </Td>
      )}
      <Td className="max-sm:whitespace-normal">
        <Badge tone={tone}>{word}</Badge>
        {upstream_status && <span className="ml-2 text-xs whitespace-nowrap text-soft">HTTP {upstream_status}</span>}
        <LateReport attempt={attempt} />
        {note && <span className="mt-1 block text-xs whitespace-normal text-soft">{note}</span>}
        {duration && <span className="mt-1 block text-xs text-soft tabular-nums sm:hidden">{duration}</span>}
      </Td>
      <Td className="text-soft max-sm:hidden">{wasTried ? <TimeAgo at={started_at} /> : "—"}</Td>
      <Td className="text-right tabular-nums max-sm:hidden">{duration ?? "—"}</Td>
      {route !== null && <Td className="text-right max-sm:hidden">{cost === null ? "—" : <Money euros={cost} />}</Td>}
    </tr>
  );
}
