"use client";

import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Form, FormError, readText, TextField } from "../../ui/form";
import { useShownPrices } from "../../ui/shown-prices";
import type { PaymentSettings } from "./payment-types";

type Automatic = NonNullable<PaymentSettings["automatic"]>;

const states = {
  on: { name: "On", tone: "good" },
  off: { name: "Off", tone: "neutral" },
  paused: { name: "Paused", tone: "warning" },
} as const;

/** Shows the saved payment method and the automatic top-up. */
export function AutomaticTopUp({ settings: { method, automatic } }: { settings: PaymentSettings }) {
  const { name, tone } = states[automatic?.state ?? "off"];
  return (
    <Card title="Automatic top-up" action={<Badge tone={tone}>{name}</Badge>}>
      <div className="grid gap-4">
        {automatic?.state === "paused" && <p className="text-sm text-warning">{describePause(automatic)}</p>}
        <Method label={method} />
        {method !== null && <Plan automatic={automatic} />}
      </div>
    </Card>
  );
}

function describePause({ reason }: Automatic): string {
  if (reason === "disputed") return "Paused because a payment was disputed with the bank.";
  if (reason === "authentication_required")
    return "Paused because your bank asks you to confirm payments. Top up manually, then turn it on again.";
  if (reason === "nothing_paid") return "Paused because a discount reduced a charge to zero.";
  if (reason === "no_method") return "Paused because the payment method was removed.";
  return "Paused because your payment method was declined. Use another one, then turn it on again.";
}

function Method({ label }: { label: string | null }) {
  const setUp = useHubMutation((trpc) => trpc.payments.setUpMethod, {
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
      <span className="leading-6">
        {label ?? "Save a payment method to top up automatically before your credit runs out."}
      </span>
      <Button busy={setUp.isPending || setUp.isSuccess} onClick={() => setUp.mutate()}>
        {label === null ? "Add payment method" : "Replace"}
      </Button>
    </div>
  );
}

const fields = [
  { name: "threshold", label: "When below", fallback: 5 },
  { name: "target", label: "Top up to", fallback: 25 },
  { name: "monthly_cap", label: "Monthly limit", fallback: 100 },
] as const;

function Plan({ automatic }: { automatic: Automatic | null }) {
  const enable = useHubMutation((trpc) => trpc.payments.enableAutomatic, {
    invalidates: (trpc) => [trpc.payments.pathFilter()],
    showsError: true,
    successToast: "Automatic top-up is on.",
  });
  const disable = useHubMutation((trpc) => trpc.payments.disableAutomatic, {
    invalidates: (trpc) => [trpc.payments.pathFilter()],
    successToast: "Automatic top-up is off.",
  });
  const submit = (form: FormData) =>
    enable.mutate({
      threshold: readText(form, "threshold"),
      target: readText(form, "target"),
      monthly_cap: readText(form, "monthly_cap"),
    });
  const errors = errorsOf(enable.error);
  const { addsTax } = useShownPrices();
  const isOn = automatic?.state === "on";
  return (
    <Form onSubmit={submit} error={enable.error}>
      <div className="grid gap-4 sm:grid-cols-3">
        {fields.map(({ name, label, fallback }) => (
          <TextField
            key={name}
            name={name}
            label={`${label} (€)`}
            inputMode="decimal"
            required
            data-missing="Enter an amount."
            maxLength={10}
            defaultValue={String(automatic?.[name] ?? fallback)}
            error={errors?.field(name)}
          />
        ))}
      </div>
      <p className="text-xs leading-5 text-soft">
        When your available balance falls below the first amount, we charge this payment method up to the second. By
        turning it on, you allow this without being asked each time, up to the monthly amount.{" "}
        {addsTax ? "The amounts exclude VAT, which is added to each charge." : "Tax may be added."}
      </p>
      <FormError>{errors?.field("body") ?? errors?.messageUnlessAt(...fields.map(({ name }) => name))}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={enable.isPending}>
          {isOn ? "Save changes" : "Turn on"}
        </Button>
        {automatic && automatic.state !== "off" && (
          <Button busy={disable.isPending} onClick={() => disable.mutate()}>
            Turn off
          </Button>
        )}
      </div>
    </Form>
  );
}
