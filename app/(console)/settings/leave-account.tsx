"use client";

import { useMutation } from "@tanstack/react-query";
import type { Role } from "@/server/context";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { ConfirmedButton } from "../../ui/dialog";
import { roleLabel } from "../members/types";

/** Says in which role the person acts for the account, and lets them leave it. */
export function LeaveAccount({ email, role }: { email: string; role: Role }) {
  const { trpc, handlers } = useMutationHandlers();
  const leave = useMutation(
    trpc.members.leave.mutationOptions({ ...handlers, onSuccess: () => window.location.assign("/overview") }),
  );
  return (
    <div className="grid justify-items-start gap-4">
      <p className="text-sm leading-6 wrap-anywhere text-soft">
        You act for {email} with the role {roleLabel(role)}.
      </p>
      <ConfirmedButton
        busy={leave.isPending}
        title={`Leave ${email}?`}
        verb="Leave"
        question="You are signed out of this account, and the API keys and apps that you made for it stop working. Only an owner can invite you again."
        onConfirm={() => leave.mutate()}
      >
        Leave this account
      </ConfirmedButton>
    </div>
  );
}
