"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Sample } from "../../ui/sample";
import { useNewDialog } from "../../ui/use-new-dialog";
import { CreateWebhook } from "./create-webhook";
import { WebhookTable } from "./webhook-table";

const sample = (
  <Sample
    icon={<Webhook size={18} />}
    title="https://example.com/hooks/hub"
    detail="generation.completed"
    end={<Badge tone="good">Active</Badge>}
  />
);

export function Webhooks() {
  const { data: endpoints = [] } = useQuery(useTRPC().webhooks.list.queryOptions());
  const { isOpen: isCreating, setOpen: setCreating } = useNewDialog();
  const [showing, setShowing] = useState(false);
  const active = endpoints.filter(({ status }) => status === "active");
  const revoked = endpoints.filter(({ status }) => status === "revoked");
  const create = (
    <Button needs="develop" kind="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      Add webhook
    </Button>
  );
  return (
    <>
      <PageHeader title="Webhooks" action={active.length > 0 && create}>
        Signed events about your generations. Failed deliveries are retried.
      </PageHeader>
      <div className="grid gap-6">
        <Card
          flush
          title="Active"
          action={<span className="text-sm text-soft tabular-nums">{active.length} of 5</span>}
        >
          {active.length > 0 ? (
            <WebhookTable label="Active webhooks" endpoints={active} />
          ) : (
            <Notice heading="h3" title="No webhooks yet" icon={<Webhook size={20} />} sample={sample} action={create}>
              Each event is posted to your https:// URL as JSON, with a signature to{" "}
              <Link href="/docs/webhooks" className="text-accent underline">
                verify
              </Link>
              .
            </Notice>
          )}
        </Card>
        {revoked.length > 0 && (
          <div className="grid gap-3">
            <Button
              kind="ghost"
              className="justify-self-start"
              aria-expanded={showing}
              onClick={() => setShowing(!showing)}
            >
              {showing ? "Hide" : "Show"} revoked ({revoked.length})
            </Button>
            {showing && (
              <Card flush title="Revoked">
                <WebhookTable label="Revoked webhooks" endpoints={revoked} />
              </Card>
            )}
          </div>
        )}
      </div>
      <CreateWebhook open={isCreating} onOpenChange={setCreating} />
    </>
  );
}
