"use client";

import { type QueryFilters, useMutation, type UseMutationOptions, useQueryClient } from "@tanstack/react-query";
import type { TRPCClientErrorLike } from "@trpc/client";
import type { Root } from "@/server/trpc/root";
import { errorsOf } from "../ui/errors-of";
import { useToast } from "../ui/toasts";
import { useTRPC } from "./client";

/** The queries and mutations of the console. */
export type Trpc = ReturnType<typeof useTRPC>;
type HubError = TRPCClientErrorLike<Root>;

interface Options<Output, Input> {
  /** The queries whose data the mutation changes; they are fetched again. */
  invalidates?: (trpc: Trpc) => QueryFilters[];
  /** The toast that reports success. */
  successToast?: string | ((output: Output, input: Input) => string);
  onSuccess?: (output: Output, input: Input) => unknown;
  /** Whether the caller shows an error itself, as forms do; otherwise a toast shows it. */
  showsError?: boolean;
}

/** Returns a mutation of the hub that reports its result and refreshes what it changed. */
export function useHubMutation<Output, Input>(
  choose: (trpc: Trpc) => { mutationOptions: (options: object) => UseMutationOptions<Output, HubError, Input> },
  { invalidates, successToast, onSuccess, showsError }: Options<Output, Input> = {},
) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    ...choose(trpc).mutationOptions({}),
    onError: (error) => !showsError && toast({ text: errorsOf(error)!.message, tone: "danger" }),
    onSuccess(output, input) {
      if (successToast) toast({ text: typeof successToast === "string" ? successToast : successToast(output, input) });
      return onSuccess?.(output, input);
    },
    onSettled: () => Promise.all((invalidates?.(trpc) ?? []).map((filter) => client.invalidateQueries(filter))),
  });
}
