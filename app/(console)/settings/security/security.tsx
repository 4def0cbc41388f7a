"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { RecoveryCodes } from "../../../factors/recovery-codes";
import { SetUpTotp } from "../../../factors/set-up-totp";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { ConfirmedButton, Dialog } from "../../../ui/dialog";
import { CheckField } from "../../../ui/form";
import { useToast } from "../../../ui/toasts";
import { TimeAgo } from "../../../ui/values";
import { Passkeys } from "./passkeys";

/** Renders the second factors of the person, and for an owner what the account requires. */
export function Security({ account }: { account: string | null }) {
  const trpc = useTRPC();
  const { data: factors } = useQuery(trpc.factors.list.queryOptions());
  const [codes, setCodes] = useState<string[] | null>(null);
  const client = useQueryClient();
  const toast = useToast();
  if (!factors) return null;
  const { passkeys, totp_added_at, recovery_codes, is_demanded } = factors;
  const hasFactor = passkeys.length > 0 || totp_added_at !== null;
  const reportAdded = (text: string, newCodes: string[] | null) => {
    void client.invalidateQueries(trpc.factors.list.queryFilter());
    toast({ text });
    setCodes(newCodes);
  };
  return (
    <div className="grid max-w-3xl gap-6">
      <Passkeys passkeys={passkeys} onAdded={(added) => reportAdded("Passkey added.", added)} />
      <AuthenticatorApp addedAt={totp_added_at} onAdded={(added) => reportAdded("Authenticator app set up.", added)} />
      {hasFactor && <RenewCodes left={recovery_codes} onCodes={setCodes} />}
      {account && <AccountDemand name={account} isDemanded={is_demanded} hasFactor={hasFactor} />}
      <Dialog open={codes !== null} onOpenChange={() => setCodes(null)} title="Your recovery codes">
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Dialog>
    </div>
  );
}

interface Props {
  /** The name of the account, or its contact address. */
  name: string;
  isDemanded: boolean;
  hasFactor: boolean;
}

/** Lets an owner require a second factor of all members. */
function AccountDemand({ name, isDemanded, hasFactor }: Props) {
  const demand = useHubMutation((trpc) => trpc.factors.demand, {
    invalidates: (trpc) => [trpc.factors.list.queryFilter()],
    successToast: (_, { is_demanded }) =>
      is_demanded ? "Members now need a second factor." : "A second factor is optional now.",
  });
  const isShown = demand.isPending ? demand.variables.is_demanded : isDemanded;
  const hint =
    hasFactor || isDemanded
      ? "Members without one set it up the next time they sign in. API keys keep working."
      : "Add a passkey or an authenticator app for yourself first.";
  return (
    <Card title={`Account ${name}`}>
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

/** Shows how many recovery codes are left, and replaces them. */
function RenewCodes({ left, onCodes }: { left: number; onCodes: (codes: string[]) => void }) {
  const renew = useHubMutation((trpc) => trpc.factors.renewRecoveryCodes, {
    invalidates: (trpc) => [trpc.factors.list.queryFilter()],
    onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
  });
  return (
    <Card
      title="Recovery codes"
      action={
        <ConfirmedButton
          busy={renew.isPending}
          title="Replace your recovery codes?"
          verb="Replace"
          question="Your current codes stop working."
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

interface AuthenticatorAppProps {
  /** Null without an app. */
  addedAt: string | null;
  /** Receives the recovery codes of a person who had none. */
  onAdded: (codes: string[] | null) => void;
}

/** Sets up, replaces and removes the authenticator app of the person. */
function AuthenticatorApp({ addedAt, onAdded }: AuthenticatorAppProps) {
  const [isOpen, setOpen] = useState(false);
  const remove = useHubMutation((trpc) => trpc.factors.removeTotp, {
    invalidates: (trpc) => [trpc.factors.list.queryFilter()],
    successToast: "Authenticator app removed.",
  });
  return (
    <Card
      title="Authenticator app"
      action={
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen(true)}>{addedAt ? "Replace" : "Set up"}</Button>
          {addedAt && (
            <ConfirmedButton
              busy={remove.isPending}
              label="Remove the authenticator app"
              title="Remove the authenticator app?"
              verb="Remove"
              question="Its codes no longer work. Delete the entry in the app as well."
              onConfirm={() => remove.mutate()}
            >
              Remove
            </ConfirmedButton>
          )}
        </div>
      }
    >
      <p className="text-sm leading-6 text-soft">
        {addedAt ? (
          <>
            Set up <TimeAgo at={addedAt} />.
          </>
        ) : (
          "Not set up. An app on your phone shows a new code every 30 seconds."
        )}
      </p>
      <Dialog open={isOpen} onOpenChange={setOpen} title="Set up an authenticator app">
        <SetUpTotp
          onAdded={(codes) => {
            setOpen(false);
            onAdded(codes);
          }}
        />
      </Dialog>
    </Card>
  );
}
