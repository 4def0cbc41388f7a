"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { BackLink } from "../../../ui/link";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { PageHeader } from "../../../ui/page-header";
import { StatusBadge } from "../../../ui/status-badge";
import { pollWhileActive } from "../generation-table";
import { DeliveryList, pollWhilePending } from "../../webhooks/delivery-list";
import { GenerationProgress } from "../generation-progress";
import { Actions } from "./actions";
import { Attempts } from "./attempts";
import { ChatReply } from "./chat-reply";
import { Cost } from "./cost";
import { Input } from "./input";
import { Outputs } from "./outputs";
import { Timeline } from "./timeline";
import { ErrorDetails } from "./error-details";

export function Generation({ id }: { id: string }) {
  const { data } = useQuery({
    ...useTRPC().generations.get.queryOptions({ id }),
    refetchOnWindowFocus: "always",
    refetchInterval: ({ state: { data } }) => data && pollWhileActive([data], pollWhilePending(data.deliveries)),
  });
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
        </div>
      </div>
    </>
  );
}
