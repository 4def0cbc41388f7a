"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Role } from "@/server/context";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Select } from "../../ui/controls";
import { Confirm } from "../../ui/dialog";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";
import { RemoveMember } from "./remove-member";
import { type Member, roleLabel, roleOptions } from "./types";

/** Lists the members, whose roles are changed in place. */
export function MemberTable({ members }: { members: Member[] }) {
  const [removed, setRemoved] = useState<Member | null>(null);
  return (
    <>
      <Table label="Members">
        <thead>
          <tr>
            <Th>Member</Th>
            <Th className="max-sm:hidden">Role</Th>
            <Th className="max-md:hidden">Last seen</Th>
            <Th className="text-right max-md:hidden">Keys</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <tr key={member.id}>
              <Td className="w-full max-w-0">
                <span className="flex items-center gap-2">
                  <span className="truncate font-medium" title={member.email}>
                    {member.email}
                  </span>
                  {member.is_you && <Badge tone="accent">You</Badge>}
                </span>
                <span className="mt-2 block sm:hidden">
                  <RoleSelect member={member} />
                </span>
              </Td>
              <Td className="max-sm:hidden">
                <RoleSelect member={member} />
              </Td>
              <Td className="text-soft max-md:hidden">
                {member.last_seen_at ? <TimeAgo at={member.last_seen_at} /> : "Not in 30 days"}
              </Td>
              <Td className="text-right tabular-nums max-md:hidden">{member.keys}</Td>
              <Td className="text-right">
                <Button
                  aria-label={member.is_you ? "Leave this account" : `Remove ${member.email}`}
                  onClick={() => setRemoved(member)}
                >
                  {member.is_you ? "Leave" : "Remove"}
                </Button>
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <RemoveMember member={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

/** Roles without API keys: those of a member who gets one are revoked. */
const KEYLESS: Role[] = ["billing", "viewer"];

function RoleSelect({ member: { id, email, role, keys } }: { member: Member }) {
  const [confirmed, setConfirmed] = useState<Role | null>(null);
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.members.list.queryFilter()]);
  const onSuccess = (_: unknown, changed: { role: Role }) =>
    toast({ text: `${email} is now ${roleLabel(changed.role).toLowerCase()}.` });
  const change = useMutation(trpc.members.changeRole.mutationOptions({ ...handlers, onSuccess }));
  const onSelect = (next: Role) =>
    keys > 0 && KEYLESS.includes(next) ? setConfirmed(next) : change.mutate({ person: id, role: next });
  return (
    <>
      <Select
        aria-label={`Role of ${email}`}
        className="min-h-9 rounded-lg border border-strong-line bg-raised px-2 text-base sm:text-sm pointer-coarse:min-h-11"
        value={change.isPending ? change.variables.role : role}
        onChange={({ target }) => onSelect(target.value as Role)}
      >
        {roleOptions.map(({ role, label, hint }) => (
          <option key={role} value={role} title={hint}>
            {label}
          </option>
        ))}
      </Select>
      <Confirm
        open={confirmed !== null}
        onOpenChange={() => setConfirmed(null)}
        title={`Change the role of ${email} to ${confirmed && roleLabel(confirmed)}?`}
        verb="Change role"
        onConfirm={() => change.mutate({ person: id, role: confirmed! })}
      >
        {keys === 1 ? "The API key or connected app" : `The ${keys} API keys and connected apps`} that they made will
        stop working at once. To keep a server running, give it a key of your own first.
      </Confirm>
    </>
  );
}
