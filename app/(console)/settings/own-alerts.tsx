"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { errorsOf } from "../../ui/errors-of";
import { CheckField, FormError } from "../../ui/form";

/** Lets a person get the account's alerts by e-mail. Owners choose for everybody. */
export function OwnAlerts() {
  const { data } = useQuery(useTRPC().alerts.own.queryOptions());
  // Shows the choice at once, and takes it back if it could not be saved.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const choose = useHubMutation((trpc) => trpc.alerts.chooseOwn, {
    invalidates: (trpc) => [trpc.alerts.own.queryFilter()],
    showsError: true,
    successToast: "Alerts saved.",
  });
  if (!data) return null;
  return (
    <div className="grid gap-3">
      {!data.sends_mail && <p className="text-sm text-soft">This hub sends no e-mail.</p>}
      <CheckField
        label="E-mail me the alerts of this account"
        hint={
          data.is_verified
            ? "When an API key reaches its spend limit or a webhook fails, and about the balance if your role can see it."
            : "You get no alerts until your address is verified."
        }
        checked={chosen ?? data.is_recipient}
        disabled={choose.isPending}
        onChange={({ target }) => {
          setChosen(target.checked);
          choose.mutate({ is_recipient: target.checked }, { onError: () => setChosen(null) });
        }}
      />
      <FormError>{errorsOf(choose.error)?.message}</FormError>
    </div>
  );
}
