"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { StatusBadge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { useFormats } from "../../../ui/formats-context";
import { BackLink } from "../../../ui/link";
import { MoneyLines } from "../../../ui/money";
import { PageHeader } from "../../../ui/page-header";
import { DeliveryList, pollWhilePending } from "../../webhooks/delivery-list";
import { describeBill } from "../describe-bill";
import { GenerationProgress } from "../generation-progress";
import { pollWhileActive } from "../poll-generations";
import { NotifyButton } from "../end-notice/notify-button";
import { toEndNotice, useEndNotice } from "../end-notice/use-end-notice";
import { CollectButton } from "../collections/collect-button";
import { StarButton } from "../favourites/star-button";
import { NextSteps } from "../next-steps/next-steps";
import { OutputGrid } from "../outputs/output-grid";
import { OutputPlaceholder } from "../outputs/output-placeholder";
import type { GenerationDetail } from "../types";
import { useLiveGeneration } from "../use-live-generations";
import { Actions } from "./actions";
import { Attempts } from "./attempts";
import { ChatReply } from "./chat-reply";
import { ErrorDetails } from "./error-details";
import { Input } from "./input";
import { Labels } from "./labels";
import { Timeline } from "./timeline";

export function Generation({ id }: { id: string }) {
  const { data } = useLiveQuery(id);
  useEndNotice(data && toEndNotice(data));
  if (!data) return null;
  return (
    <>
      <BackLink href="/generations">Generations</BackLink>
      <PageHeader title={data.model} action={<HeaderActions generation={data} />}>
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

const HeaderActions = ({ generation }: { generation: GenerationDetail }) => (
  <div className="flex flex-wrap gap-2">
    {generation.erased_at === null && (
      <>
        <StarButton id={generation.id} title={generation.model} />
        <CollectButton id={generation.id} />
      </>
    )}
    {generation.completed_at === null && <NotifyButton />}
    <Actions generation={generation} />
  </div>
);

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
      {outputs.length > 0 ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <OutputGrid generation={generation} />
          <NextSteps id={generation.id} />
        </div>
      ) : (
        <OutputPlaceholder generation={generation} />
      )}
    </Card>
  );
}
