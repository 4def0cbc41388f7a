"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RecoveryCodes } from "../../../factors/recovery-codes";
import { useTRPC } from "../../../trpc/client";
import { Dialog } from "../../../ui/dialog";
import { AccountDemand } from "./account-demand";
import { AuthenticatorApp } from "./authenticator-app";
import { Passkeys } from "./passkeys";
import { RenewCodes } from "./renew-codes";

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
