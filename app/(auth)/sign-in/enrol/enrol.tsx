"use client";

import { useState } from "react";
import { AddPasskey } from "../../../factors/add-passkey";
import { ProofDialog } from "../../../factors/proof-dialog";
import { RecoveryCodes } from "../../../factors/recovery-codes";
import { SetUpTotp } from "../../../factors/set-up-totp";
import { Button } from "../../../ui/button";

/** Sets up the second factor that the session requires, and then opens `next`. */
export function Enrol({ next }: { next: string }) {
  const [way, setWay] = useState<"passkey" | "totp" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const open = () => window.location.assign(next);
  const onAdded = (created: string[] | null) => (created ? setCodes(created) : open());
  if (codes) return <RecoveryCodes codes={codes} onDone={open} />;
  return (
    <>
      <p className="text-sm leading-6 text-soft">
        You need a second factor to continue: a passkey on this device or on a security key, or an authenticator app on
        your phone.
      </p>
      {way === "passkey" && <AddPasskey onAdded={onAdded} />}
      {way === "totp" && <SetUpTotp onAdded={onAdded} />}
      <div className="grid gap-2">
        {way !== "passkey" && (
          <Button kind={way ? "quiet" : "primary"} onClick={() => setWay("passkey")}>
            Use a passkey
          </Button>
        )}
        {way !== "totp" && <Button onClick={() => setWay("totp")}>Use an authenticator app</Button>}
      </div>
      <ProofDialog />
    </>
  );
}
