"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { useState } from "react";
import type { Root } from "@/server/trpc/root";
import { useTRPC } from "../../trpc/client";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, FormError } from "../../ui/field";
import { TimeAgo } from "../../ui/time-ago";
import type { Member } from "./types";

/** Asks which keys of a member to keep, and removes them. */
export const RemoveMember = ({ member, onClose }: { member: Member | null; onClose: () => void }) => (
  <Dialog
    open={member !== null}
    onOpenChange={onClose}
    title={member?.is_you ? "Leave this account?" : `Remove ${member?.email}?`}
  >
    {member && <Question member={member} onClose={onClose} />}
  </Dialog>
);

function Question({ member, onClose }: { member: Member; onClose: () => void }) {
  const { data: keys, error: listError } = useQuery(useTRPC().members.keys.queryOptions({ person: member.id }));
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set());
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.members.pathFilter(), trpc.keys.pathFilter()]);
  const remove = useMutation(
    trpc.members.remove.mutationOptions({
      onSuccess: async () => {
        // Whoever has left starts anew, in another account or at the sign-in page.
        if (member.is_you) return window.location.assign("/overview");
        await handlers.onSettled();
        toast({ text: `${member.email} was removed.` });
        onClose();
      },
    }),
  );
  return (
    <div className="grid gap-4 text-sm leading-6">
      <p>
        {member.is_you ? "You are" : "They are"} signed out of this account at once.{" "}
        {keys?.length === 0 && "No API keys are affected."}
      </p>
      {keys && keys.length > 0 && <KeptKeys keys={keys} kept={kept} onChange={setKept} />}
      <FormError>{errorsOf(remove.error ?? listError)?.message}</FormError>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          busy={remove.isPending}
          disabled={!keys}
          onClick={() => remove.mutate({ person: member.id, kept_keys: [...kept] })}
        >
          {member.is_you ? "Leave" : "Remove"}
        </Button>
      </div>
    </div>
  );
}

interface KeptKeysProps {
  keys: inferRouterOutputs<Root>["members"]["keys"];
  kept: ReadonlySet<string>;
  onChange: (kept: ReadonlySet<string>) => void;
}

/** Lists the keys of a member, with those checked that go on working. */
const KeptKeys = ({ keys, kept, onChange }: KeptKeysProps) => (
  <fieldset className="grid gap-2">
    <legend className="mb-2">
      Their API keys and connected apps stop working. Check those to keep, such as keys that programs of yours use:
    </legend>
    {keys.map(({ id, name, prefix, scope, last_used_at }) => (
      <CheckField
        key={id}
        label={`Keep “${name}”`}
        hint={
          <>
            {scope === "mcp" ? "Connected app" : `${prefix}…`}, last used{" "}
            {last_used_at ? <TimeAgo at={last_used_at} /> : "never"}
          </>
        }
        checked={kept.has(id)}
        onChange={({ target }) =>
          onChange(new Set(target.checked ? [...kept, id] : [...kept].filter((one) => one !== id)))
        }
      />
    ))}
  </fieldset>
);
