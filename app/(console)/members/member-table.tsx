"use client";

import type { Role } from "@/server/context";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import type { Outputs } from "../../trpc/outputs";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Select } from "../../ui/controls";
import { Confirm, Dialog } from "../../ui/dialog";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, FormError } from "../../ui/form";
import { ActionTable, Td } from "../../ui/table";
import { TimeAgo, useNow } from "../../ui/values";
import { type Member, roleLabel, roleOptions } from "./types";

/** Lists the members, whose roles are changed in place. */
export function MemberTable({ members }: { members: Member[] }) {
  const [removed, setRemoved] = useState<Member | null>(null);
  return (
    <>
      <ActionTable
        label="Members"
        columns={[
          { title: "Member" },
          { title: "Role", className: "max-sm:hidden" },
          { title: "Last seen", className: "max-md:hidden" },
          { title: "Keys", className: "text-right max-md:hidden" },
        ]}
      >
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
              <LastSeen member={member} />
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
      </ActionTable>
      <RemoveMember member={removed} onClose={() => setRemoved(null)} />
    </>
  );
}

const SESSION_DAYS_MS = 30 * 86_400_000;

/** Says when a member last used the account. Sessions are stored for 30 days. */
function LastSeen({ member: { last_seen_at, created_at } }: { member: Member }) {
  const now = useNow();
  if (last_seen_at) return <TimeAgo at={last_seen_at} />;
  return now - Date.parse(created_at) < SESSION_DAYS_MS ? "Not yet" : "Not in 30 days";
}

/** Roles that have no API keys: the keys of a member who gets one are revoked. */
const KEYLESS: Role[] = ["billing", "viewer"];

function RoleSelect({ member: { id, email, role, keys } }: { member: Member }) {
  const [confirmed, setConfirmed] = useState<Role | null>(null);
  const change = useHubMutation((trpc) => trpc.members.changeRole, {
    invalidates: (trpc) => [trpc.members.list.queryFilter()],
    successToast: (_, { role: next }) => `${email} is now ${roleLabel(next).toLowerCase()}.`,
  });
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
        stop working immediately. To keep a server running, give it one of your own keys first.
      </Confirm>
    </>
  );
}

/** Asks which keys of a member to keep, and removes them. */
const RemoveMember = ({ member, onClose }: { member: Member | null; onClose: () => void }) => (
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
  const remove = useHubMutation((trpc) => trpc.members.remove, {
    // A member who has left may no longer read the list.
    invalidates: (trpc) => (member.is_you ? [] : [trpc.members.pathFilter(), trpc.keys.pathFilter()]),
    showsError: true,
    successToast: member.is_you ? undefined : `${member.email} was removed.`,
    onSuccess: member.is_you ? () => window.location.assign("/overview") : onClose,
  });
  return (
    <div className="grid gap-4 text-sm leading-6">
      <p>
        {member.is_you ? "You are" : "They are"} signed out of this account immediately.{" "}
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
  keys: Outputs["members"]["keys"];
  kept: ReadonlySet<string>;
  onChange: (kept: ReadonlySet<string>) => void;
}

/** Lists the keys of a member; those that are checked keep working. */
const KeptKeys = ({ keys, kept, onChange }: KeptKeysProps) => (
  <fieldset className="grid gap-2">
    <legend className="mb-2">
      Their API keys and connected apps stop working. Select those to keep, such as keys that your programs use:
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
