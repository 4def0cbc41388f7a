"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { FormError } from "../../ui/form";
import { useFormats } from "../../ui/formats-context";
import { Money } from "../../ui/values";
import { useSearch } from "../../ui/use-search";

/** Asks to verify the e-mail address: after sign-up for the trial credit, and where the link of the e-mail leads. */
export function TrialCredit() {
  const { data: summary } = useQuery(useTRPC().overview.summary.queryOptions());
  const { read, change } = useSearch();
  const token = read("verify");
  const credit = summary?.trial_credit ?? null;
  if (credit === null && token === null) return null;
  return <Verification credit={credit} token={token} onVerified={() => change("verify", "")} />;
}

interface Props {
  /** What the account gets, in EUR; null if nothing. */
  credit: number | null;
  /** The token of the link that was opened; null without one. */
  token: string | null;
  onVerified: () => void;
}

function Verification({ credit, token, onVerified }: Props) {
  const { data: account } = useQuery(useTRPC().account.get.queryOptions());
  const { verify, send } = useVerification(onVerified);
  const linkError = errorsOf(verify.error);
  return (
    <section
      aria-label="Verify your e-mail address"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-raised px-5 py-4"
    >
      <MailCheck size={20} aria-hidden className="shrink-0 text-accent" />
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-sm font-semibold">Verify your e-mail address</h2>
        <p className="mt-0.5 text-sm leading-6 wrap-anywhere text-soft">
          {credit !== null && (
            <>
              You get <Money euros={credit} /> of trial credit.{" "}
            </>
          )}
          {token === null && `Open the link that we sent to ${account?.person.email ?? "you"}.`}
        </p>
        <FormError>
          {linkError ? (linkError.field("token", "The link") ?? linkError.message) : errorsOf(send.error)?.message}
        </FormError>
      </div>
      {token !== null && (
        <Button kind="primary" busy={verify.isPending} onClick={() => verify.mutate({ token: token.slice(0, 200) })}>
          Verify
        </Button>
      )}
      {credit !== null && (
        <Button busy={send.isPending} onClick={() => send.mutate()}>
          Send a new link
        </Button>
      )}
    </section>
  );
}

/** Returns the mutations; `onVerified` is called once the address is verified. */
function useVerification(onVerified: () => void) {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [
    trpc.overview.pathFilter(),
    trpc.account.pathFilter(),
  ]);
  const { onSettled } = handlers;
  const { euros } = useFormats();
  const verify = useMutation(
    trpc.account.verifyEmail.mutationOptions({
      onSettled,
      onSuccess: ({ credited }) => {
        onVerified();
        toast({
          text: credited === null ? "E-mail address verified." : `${euros(credited, 2, 9)} of trial credit added.`,
        });
      },
    }),
  );
  const send = useMutation(
    trpc.account.sendVerification.mutationOptions({ onSuccess: () => toast({ text: "E-mail sent." }) }),
  );
  return { verify, send };
}
