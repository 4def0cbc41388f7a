"use client";

import { describeEvent, eventNames, isMoneyEventName } from "@/server/domain/events/event-names";
import { useQuery } from "@tanstack/react-query";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { usePermission } from "../../ui/access-context";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError, readText, TextField } from "../../ui/form";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Sample } from "../../ui/sample";
import { SecretDialog } from "../../ui/secret-dialog";
import { useNewDialog } from "../../ui/use-new-dialog";
import { SigningSecret } from "./signing-secret";
import { WebhookTable } from "./webhook-table";

const sample = (
  <Sample
    icon={<Webhook size={18} />}
    title="https://example.com/hooks/hub"
    detail="generation.completed"
    end={<Badge tone="good">Active</Badge>}
  />
);

const POLL_INTERVAL_MS = 15_000;

export function Webhooks() {
  const trpc = useTRPC();
  const { data: endpoints = [] } = useQuery(trpc.webhooks.list.queryOptions());
  const { data: health = [] } = useQuery({
    ...trpc.webhooks.health.queryOptions({}),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const { isOpen: isCreating, setOpen: setCreating } = useNewDialog("develop");
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
            <WebhookTable label="Active webhooks" endpoints={active} health={health} />
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
        <SigningSecret />
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
                <WebhookTable label="Revoked webhooks" endpoints={revoked} health={[]} />
              </Card>
            )}
          </div>
        )}
      </div>
      <CreateWebhook open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function CreateWebhook({ open, onOpenChange }: Props) {
  const create = useHubMutation((trpc) => trpc.webhooks.create, {
    invalidates: (trpc) => [trpc.webhooks.list.queryFilter()],
    showsError: true,
  });
  const submit = (fields: FormData) =>
    create.mutate({ url: readText(fields, "url").trim(), events: eventNames.filter((name) => fields.has(name)) });
  const errors = errorsOf(create.error);
  return (
    <SecretDialog
      open={open}
      onOpenChange={onOpenChange}
      create={create}
      title="Add a webhook"
      kind="secret"
      reveal={({ secret }) => ({ title: "Webhook added", description: "Use this secret to verify events.", secret })}
    >
      <Form onSubmit={submit} error={create.error}>
        <TextField
          name="url"
          label="URL"
          type="url"
          required
          data-missing="Enter a URL."
          maxLength={2048}
          placeholder="https://example.com/hooks/hub"
          hint="A public https:// URL."
          error={errors?.field("url")}
        />
        <EventChecks />
        <FormError>{errors?.field("body") ?? errors?.messageUnlessAt("url")}</FormError>
        <Button kind="primary" type="submit" busy={create.isPending}>
          Add webhook
        </Button>
      </Form>
    </SecretDialog>
  );
}

/** Lists the events; those about money only to people who may see it. */
function EventChecks() {
  const showsMoney = usePermission("billing");
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">Events</legend>
      {eventNames
        .filter((name) => showsMoney || !isMoneyEventName(name))
        .map((name) => (
          <CheckField
            key={name}
            name={name}
            label={name}
            hint={`${describeEvent(name).summary}.`}
            defaultChecked={describeEvent(name).subject === "generation"}
          />
        ))}
    </fieldset>
  );
}
