"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import type { Outputs } from "../../trpc/outputs";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, Form, FormError, readText, TextField } from "../../ui/form";

type Settings = Outputs["alerts"]["get"];

/** Sets when the balance counts as low, and who gets alerts about it, reached limits and failing webhooks. */
export function Alerts() {
  const { data } = useQuery(useTRPC().alerts.get.queryOptions());
  if (!data) return null;
  return (
    <div className="grid gap-6">
      <p className="text-sm leading-6 text-soft">
        You get one alert when the balance is low or exhausted, an API key reaches its spend limit, or a webhook fails.
      </p>
      <LowAmount amount={data.low_amount} />
      <Recipients members={data.members} sendsMail={data.sends_mail} />
      <SlackUrl host={data.slack_host} />
    </div>
  );
}

const useChange = (successToast: string, showsError = true) =>
  useHubMutation((trpc) => trpc.alerts.change, {
    invalidates: (trpc) => [trpc.alerts.get.queryFilter()],
    showsError,
    successToast,
  });

function LowAmount({ amount }: { amount: number | null }) {
  const change = useChange("Alert amount saved.");
  const errors = errorsOf(change.error);
  const onSubmit = (fields: FormData) => {
    const text = readText(fields, "low_amount").trim();
    change.mutate({ low_amount: text === "" ? null : Number(text) });
  };
  return (
    <Form onSubmit={onSubmit} error={change.error} className="grid max-w-sm gap-4">
      <TextField
        name="low_amount"
        label="Low-balance threshold (EUR)"
        type="number"
        inputMode="decimal"
        min={0.01}
        max={1_000_000}
        step="any"
        defaultValue={amount ?? ""}
        placeholder="Spend of the last three days"
        hint="If empty, the account’s spend of the last three days."
        error={errors?.field("low_amount", "The amount")}
      />
      <FormError>{errors?.messageUnlessAt("low_amount")}</FormError>
      <Button type="submit" busy={change.isPending} className="justify-self-start">
        Save amount
      </Button>
    </Form>
  );
}

function Recipients({ members, sendsMail }: { members: Settings["members"]; sendsMail: boolean }) {
  const change = useChange("Recipients saved.");
  const saved = members.filter(({ is_recipient }) => is_recipient).map(({ id }) => id);
  const chosen = change.isPending ? (change.variables.recipients ?? saved) : saved;
  const toggle = (id: number, isOn: boolean) =>
    change.mutate({ recipients: isOn ? [...chosen, id] : chosen.filter((one) => one !== id) });
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 text-sm font-medium">By e-mail to</legend>
      {!sendsMail && <p className="text-sm text-soft">This hub sends no e-mail.</p>}
      {members.map(({ id, email, is_verified }) => (
        <CheckField
          key={id}
          label={email}
          hint={is_verified ? undefined : "Receives no alerts until this address is verified."}
          checked={chosen.includes(id)}
          disabled={change.isPending}
          onChange={({ target }) => toggle(id, target.checked)}
        />
      ))}
      <FormError>{errorsOf(change.error)?.message}</FormError>
    </fieldset>
  );
}

/** Sets the URL. Afterwards only its host is shown. */
function SlackUrl({ host }: { host: string | null }) {
  const [isEditing, setEditing] = useState(false);
  const change = useChange("URL saved.");
  const remove = useChange("URL removed.", false);
  const test = useHubMutation((trpc) => trpc.alerts.test, { successToast: "Test sent." });
  const errors = errorsOf(change.error);
  if (host !== null && !isEditing)
    return (
      <div className="grid gap-2 text-sm">
        <p className="font-medium">Slack-compatible URL</p>
        <p className="wrap-anywhere text-soft">At {host}</p>
        <div className="flex flex-wrap gap-2">
          <Button busy={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
          <Button onClick={() => setEditing(true)}>Replace</Button>
          <Button busy={remove.isPending} onClick={() => remove.mutate({ slack_url: null })}>
            Remove
          </Button>
        </div>
      </div>
    );
  const onSubmit = (fields: FormData) =>
    change.mutate({ slack_url: readText(fields, "slack_url").trim() }, { onSuccess: () => setEditing(false) });
  return (
    <Form onSubmit={onSubmit} error={change.error} className="grid max-w-sm gap-4">
      <TextField
        name="slack_url"
        label="Slack-compatible URL"
        type="url"
        required
        data-missing="Enter a URL."
        maxLength={2048}
        autoComplete="off"
        placeholder="https://hooks.slack.com/services/…"
        hint="An incoming webhook of Slack, Mattermost or Rocket.Chat. It is stored encrypted."
        error={errors?.field("slack_url")}
      />
      <FormError>{errors?.messageUnlessAt("slack_url")}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={change.isPending}>
          Save URL
        </Button>
        {isEditing && <Button onClick={() => setEditing(false)}>Cancel</Button>}
      </div>
    </Form>
  );
}
