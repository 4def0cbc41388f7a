"use client";

import type { Role } from "@/server/context";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { ConfirmedButton } from "../../ui/dialog";
import { roleLabel } from "../members/types";

/** Shows the person's role in the account, and lets them leave it. */
export function LeaveAccount({ name, role }: { name: string; role: Role }) {
  const leave = useHubMutation((trpc) => trpc.members.leave, { onSuccess: () => window.location.assign("/overview") });
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-sm leading-6 wrap-anywhere text-soft">
        You have access to {name} with the role {roleLabel(role)}.
      </p>
      <ConfirmedButton
        busy={leave.isPending}
        title={`Leave ${name}?`}
        verb="Leave"
        question="You are signed out of this account, and the API keys and apps that you made for it stop working. Only an owner can invite you again."
        onConfirm={() => leave.mutate()}
      >
        Leave this account
      </ConfirmedButton>
    </div>
  );
}
