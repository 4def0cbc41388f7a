"use client";

import { useState } from "react";
import { useHubMutation } from "../../../../trpc/use-hub-mutation";
import { Button } from "../../../../ui/button";
import { Dialog } from "../../../../ui/dialog";
import { readText } from "../../../../ui/form";
import { OperatorForm } from "../../../operator-form";
import { useIsOperator } from "../../../use-operator";

/** Renders the button that erases a member as a person, with its form; nothing for auditors. */
export function ErasePerson({ email }: { email: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const erase = useHubMutation((trpc) => trpc.admin.accounts.erasePerson, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: "Person erased.",
    onSuccess: () => setIsOpen(false),
  });
  if (!useIsOperator()) return null;
  return (
    <>
      <Button aria-label={`Erase ${email}`} onClick={() => setIsOpen(true)}>
        Erase
      </Button>
      <Dialog open={isOpen} onOpenChange={setIsOpen} title={`Erase ${email}?`}>
        <OperatorForm
          verb="Erase person"
          kind="danger"
          busy={erase.isPending}
          error={erase.error}
          onSubmit={(form) => erase.mutate({ email, reason: readText(form, "reason") })}
        >
          <p className="text-sm leading-6 text-soft">
            Removes the person from all accounts, revokes the API keys that they created, and erases their address,
            sign-ins and second factors, also in the audit log. This cannot be undone. The accounts keep their
            generations.
          </p>
        </OperatorForm>
      </Dialog>
    </>
  );
}
