"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { signOut } from "../shell/sign-out";
import { useTRPC } from "../trpc/client";
import { Button } from "../ui/button";
import { DialogPanel } from "../ui/dialog-panel";
import { errorsOf } from "../ui/errors-of";
import { FormError } from "../ui/form";
import { GiveFactor } from "./give-factor";
import { listProofWays } from "./list-proof-ways";

/** Renders the dialog for a proof; `ProofDialog` loads this when it opens. */
export const ProofPanel = ({ onEnd }: { onEnd: (isProved: boolean) => void }) => (
  <DialogPanel
    onOpenChange={() => onEnd(false)}
    title="Confirm it’s you"
    description="This change requires a confirmation within the last ten minutes."
  >
    <Proof onDone={() => onEnd(true)} />
  </DialogPanel>
);

function Proof({ onDone }: { onDone: () => void }) {
  const { data, error } = useQuery(useTRPC().factors.list.queryOptions());
  const leave = useMutation({ mutationFn: signOut });
  if (error) return <FormError>{errorsOf(error)!.message}</FormError>;
  if (!data) return <p className="text-sm text-soft">Loading…</p>;
  const ways = listProofWays(data);
  if (ways.length > 0) return <GiveFactor ways={ways} onDone={onDone} />;
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-sm leading-6 text-soft">
        You have neither a password nor a second factor. Sign out and in again, then repeat the change within ten
        minutes.
      </p>
      <FormError>{errorsOf(leave.error)?.message}</FormError>
      <Button kind="primary" busy={leave.isPending} onClick={() => leave.mutate()}>
        Sign out
      </Button>
    </div>
  );
}
