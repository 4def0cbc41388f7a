"use client";

import { useMutation } from "@tanstack/react-query";
import { LogOut } from "lucide-react";
import { Button } from "../ui/button";
import { errorsOf } from "../ui/errors-of";
import { useToast } from "../ui/toasts";
import { signOut } from "./sign-out";

/** Returns the mutation that signs out; a toast says so if the session could not be ended. */
export function useSignOut() {
  const toast = useToast();
  return useMutation({
    mutationFn: signOut,
    onError: (error) => toast({ text: errorsOf(error)!.message, tone: "danger" }),
  });
}

export function SignOut() {
  const { mutate, isPending, isSuccess } = useSignOut();
  const isLeaving = isPending || isSuccess;
  return (
    <Button
      kind="ghost"
      className="px-2"
      aria-label="Sign out"
      title="Sign out"
      busy={isLeaving}
      onClick={() => mutate()}
    >
      <LogOut size={16} aria-hidden />
    </Button>
  );
}
