"use client";

import { useHubMutation } from "../../trpc/use-hub-mutation";
import { ConfirmedButton } from "../../ui/dialog";
import type { Key } from "./types";

/** Revokes a key after a confirmation. `label` names the button in a list. */
export function RevokeKey({ apiKey: { id, name, prefix }, label }: { apiKey: Key; label?: string }) {
  const revoke = useHubMutation((trpc) => trpc.keys.revoke, {
    invalidates: (trpc) => [trpc.keys.pathFilter()],
    successToast: "Key revoked.",
  });
  return (
    <ConfirmedButton
      needs="develop"
      label={label}
      busy={revoke.isPending}
      title={`Revoke “${name}”?`}
      verb="Revoke key"
      question={`Apps using ${prefix}… stop working immediately. This cannot be undone.`}
      onConfirm={() => revoke.mutate({ id })}
    >
      Revoke
    </ConfirmedButton>
  );
}
