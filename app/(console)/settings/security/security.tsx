"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RecoveryCodes } from "../../../factors/recovery-codes";
import { useTRPC } from "../../../trpc/client";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Card } from "../../../ui/card";
import { ConfirmedButton } from "../../../ui/confirmed-button";
import { Dialog } from "../../../ui/dialog";
import { CheckField } from "../../../ui/field";
import { AuthenticatorApp } from "./authenticator-app";
import { Passkeys } from "./passkeys";

/** Renders the second factors of the person, and for an owner what the account demands. */
export function Security({ account }: { account: string | null }) {
  const { data: factors } = useQuery(useTRPC().factors.list.queryOptions());
  const [codes, setCodes] = useState<string[] | null>(null);
  if (!factors) return null;
  const { passkeys, totp_added_at, recovery_codes, is_demanded } = factors;
  const hasFactor = passkeys.length > 0 || totp_added_at !== null;
  return (
    <div className="grid max-w-3xl gap-6">
      <Passkeys passkeys={passkeys} onCodes={setCodes} />
      <AuthenticatorApp addedAt={totp_added_at} onCodes={setCodes} />
      {hasFactor && <RenewCodes left={recovery_codes} onCodes={setCodes} />}
      {account && <AccountDemand email={account} isDemanded={is_demanded} hasFactor={hasFactor} />}
      <Dialog open={codes !== null} onOpenChange={() => setCodes(null)} title="Your recovery codes">
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Dialog>
    </div>
  );
}

interface Props {
  email: string;
  isDemanded: boolean;
  hasFactor: boolean;
}

/** Lets an owner demand a second factor of everybody who acts for the account. */
function AccountDemand({ email, isDemanded, hasFactor }: Props) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.factors.list.queryFilter()]);
  const demand = useMutation(
    trpc.factors.demand.mutationOptions({
      ...handlers,
      onSuccess: (_, { is_demanded }) =>
        toast({ text: is_demanded ? "Members now need a second factor." : "A second factor is optional now." }),
    }),
  );
  const isShown = demand.isPending ? demand.variables.is_demanded : isDemanded;
  const hint =
    hasFactor || isDemanded
      ? "Members without one set it up when they sign in the next time. API keys go on working."
      : "Add a passkey or an authenticator app for yourself first.";
  return (
    <Card title={`Account ${email}`}>
      <CheckField
        label="Require a second factor"
        hint={hint}
        checked={isShown}
        disabled={!hasFactor && !isDemanded}
        onChange={(event) => demand.mutate({ is_demanded: event.target.checked })}
      />
    </Card>
  );
}

const LOW = 3;

/** Says how many recovery codes are left, and replaces them. */
function RenewCodes({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  const { trpc, handlers } = useMutationHandlers((trpc) => [trpc.factors.list.queryFilter()]);
  const renew = useMutation(
    trpc.factors.renewRecoveryCodes.mutationOptions({
      ...handlers,
      onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
    }),
  );
  return (
    <Card
      title="Recovery codes"
      action={
        <ConfirmedButton
          busy={renew.isPending}
          title="Replace your recovery codes?"
          verb="Replace"
          question="The codes that you have now stop working."
          onConfirm={() => renew.mutate()}
        >
          Replace codes
        </ConfirmedButton>
      }
    >
      <p className={`text-sm leading-6 ${left < LOW ? "text-warning" : "text-soft"}`}>
        {describeLeft(left)} Each replaces your second factor once, for example when you lose your phone.
      </p>
    </Card>
  );
}

function describeLeft(left: number): string {
  if (left === 0) return "No codes are left.";
  return left === 1 ? "One code is left." : `${left} codes are left.`;
}
