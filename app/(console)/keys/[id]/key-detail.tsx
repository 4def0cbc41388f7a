"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { Badge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { BackLink } from "../../../ui/link";
import { PageHeader } from "../../../ui/page-header";
import { KeyState } from "../key-state";
import { usePermission } from "../../../ui/access-context";
import { EditKey } from "./edit-key";
import { KeyActions } from "./key-actions";
import { KeyInfo } from "./key-info";
import { KeyUsage } from "./key-usage";

const POLL_INTERVAL_MS = 15_000;

export function KeyDetail({ id }: { id: string }) {
  const { data: key } = useQuery({ ...useTRPC().keys.get.queryOptions({ id }), refetchInterval: POLL_INTERVAL_MS });
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
