"use client";

import { useMutation } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { useMutationHandlers } from "../../../trpc/use-mutation-handlers";
import { Button } from "../../../ui/button";
import { RevokeKey } from "../revoke-key";
import type { Key } from "../types";
import { RotateKey } from "./rotate-key";

/** Offers the actions on a key that is not revoked. */
export const KeyActions = ({ apiKey }: { apiKey: Key }) => (
  <div className="flex flex-wrap gap-2">
    <PauseKey apiKey={apiKey} />
    <RotateKey apiKey={apiKey} />
    <RevokeKey apiKey={apiKey} />
  </div>
);

function PauseKey({ apiKey: { id, paused_at } }: { apiKey: Key }) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.keys.pathFilter()]);
  const isPaused = paused_at !== null;
  const update = useMutation(
    trpc.keys.update.mutationOptions({
      ...handlers,
      onSuccess: (key) =>
        toast({ text: key.paused_at ? "Key paused. Its requests are rejected until you resume it." : "Key resumed." }),
    }),
  );
  const Icon = isPaused ? Play : Pause;
  return (
    <Button
      needs="develop"
      kind={isPaused ? "primary" : "quiet"}
      busy={update.isPending}
      onClick={() => update.mutate({ id, paused: !isPaused })}
    >
      <Icon size={16} aria-hidden />
      {isPaused ? "Resume" : "Pause"}
    </Button>
  );
}
