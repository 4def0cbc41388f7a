"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { SelectField } from "../../ui/field";
import type { Member } from "./types";

/** Shows the account's contact address, and lets another member's address take its place. */
export function ContactAddress({ members }: { members: Member[] }) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.account.pathFilter()]);
  const onSuccess = () => toast({ text: "Contact address changed." });
  const change = useMutation(trpc.members.changeContact.mutationOptions({ ...handlers, onSuccess }));
  const current = members.find(({ email }) => email === account?.email);
  return (
    <div className="max-w-md">
      <SelectField
        label="The address by which this account is known"
        hint="The hub’s administrator uses it, and GET /me returns it. It is a member’s verified address."
        value={change.isPending ? change.variables.person : (current?.id ?? "")}
        onChange={({ target }) => change.mutate({ person: Number(target.value) })}
      >
        {!current && <option value="">{account?.email}</option>}
        {members.map(({ id, email }) => (
          <option key={id} value={id}>
            {email}
          </option>
        ))}
      </SelectField>
    </div>
  );
}
