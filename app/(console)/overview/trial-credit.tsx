"use client";

import { useQuery } from "@tanstack/react-query";
import { MailCheck } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { errorsOf } from "../../ui/errors-of";
import { FormError } from "../../ui/form";
import { useFormats } from "../../ui/formats-context";
import { Money } from "../../ui/money";
import { useSearch } from "../../ui/use-search";

/** Asks to verify the e-mail address, after sign-up and when the link of the e-mail is opened. */
export function TrialCredit() {
  const { data: summary } = useQuery(useTRPC().overview.summary.queryOptions());
  const { read, change } = useSearch();
  const token = read("verify");
  const credit = summary?.trial_credit ?? null;
  if (credit === null && token === null) return null;
  return <Verification credit={credit} token={token} onVerified={() => change("verify", "")} />;
}

interface Props {
  /** The trial credit in EUR; null if there is none. */
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
  const { euros } = useFormats();
  const verify = useHubMutation((trpc) => trpc.account.verifyEmail, {
    invalidates: (trpc) => [trpc.overview.pathFilter(), trpc.account.pathFilter()],
    showsError: true,
    successToast: ({ credited }) =>
      credited === null ? "E-mail address verified." : `${euros(credited, 2, 9)} of trial credit added.`,
    onSuccess: onVerified,
  });
  const send = useHubMutation((trpc) => trpc.account.sendVerification, {
    showsError: true,
    successToast: "E-mail sent.",
  });
  return { verify, send };
}
