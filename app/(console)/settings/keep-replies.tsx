"use client";

import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { TextField } from "../../ui/form";

const DEFAULT_DAYS = 7;

/** Chooses whether the hub keeps replies of chats, and for how many days. */
export function KeepReplies({ maxDays }: { maxDays: number }) {
  const trpc = useTRPC();
  const { data: account } = useQuery(trpc.account.get.queryOptions());
  const kept = account?.reply_retention_days ?? null;
  const [entered, setEntered] = useState(String(kept ?? DEFAULT_DAYS));
  const [confirming, setConfirming] = useState(false);
  const change = useHubMutation((trpc) => trpc.account.setReplyRetention, {
    invalidates: (trpc) => [trpc.account.get.queryFilter()],
    successToast: (_, { days }) =>
      days === null ? "Stored replies deleted. New ones are not stored." : "Replies are kept.",
  });
  const days = Number(entered);
  const isValid = Number.isInteger(days) && days >= 1 && days <= maxDays;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid && !change.isPending) change.mutate({ days });
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <Description days={kept} />
      <div className="max-w-sm">
        <TextField
          label="Days to keep replies"
          type="number"
          inputMode="numeric"
          min={1}
          max={maxDays}
          value={entered}
          onChange={(event) => setEntered(event.target.value)}
          hint={`1 to ${maxDays}. A shorter time applies to stored replies as well.`}
          error={isValid ? undefined : `Enter 1 to ${maxDays} days.`}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={change.isPending} disabled={days === kept}>
          {kept === null ? "Keep chat replies" : "Save"}
        </Button>
        {kept !== null && <Button onClick={() => setConfirming(true)}>Stop keeping replies</Button>}
      </div>
      <Confirm
        open={confirming}
        onOpenChange={setConfirming}
        title="Stop keeping replies?"
        verb="Delete replies"
        onConfirm={() => change.mutate({ days: null })}
      >
        All stored replies are deleted now, and new ones are not stored. This cannot be undone.
      </Confirm>
    </form>
  );
}

const Description = ({ days }: { days: number | null }) => (
  <p className="text-sm leading-6 text-soft">
    {days === null
      ? "Chat replies are not stored. Keep them to see them on the page of each chat, including chats of your API keys."
      : `Replies are kept for ${days === 1 ? "one day" : `${days} days`}, then deleted automatically.`}
  </p>
);
