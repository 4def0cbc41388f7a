"use client";

import { useMutation } from "@tanstack/react-query";
import { Eye } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../../../trpc/client";
import { useHubMutation } from "../../../../trpc/use-hub-mutation";
import { Button } from "../../../../ui/button";
import { Dialog } from "../../../../ui/dialog";
import { errorsOf } from "../../../../ui/errors-of";
import { readText, TextField } from "../../../../ui/form";
import { useIdempotencyKey } from "../../../../ui/use-idempotency-key";
import { OperatorForm } from "../../../operator-form";
import { BookForm } from "./book-form";
import { CloseForm, KeepForm } from "./close-forms";
import type { AccountRecord } from "../../../types";
import { useIsOperator } from "../../../use-operator";

type Action = "book" | "close" | "credit" | "suspend" | "member" | "weight" | "view";

/** Renders an operator's actions on an account; an auditor can only view it. */
export function AccountActions({ account }: { account: AccountRecord }) {
  const [action, setAction] = useState<Action | null>(null);
  const isOperator = useIsOperator();
  const close = () => setAction(null);
  const { id, email, suspended, member, closing } = account;
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => setAction("view")}>
        <Eye size={16} aria-hidden />
        View as
      </Button>
      {isOperator && (
        <>
          <Button onClick={() => setAction("credit")}>Credit or correct</Button>
          <Button onClick={() => setAction("member")}>{member ? "Withdraw membership" : "Grant membership"}</Button>
          <Button onClick={() => setAction("book")}>Change price book</Button>
          <Button onClick={() => setAction("weight")}>Change weight</Button>
          <Button onClick={() => setAction("suspend")}>{suspended ? "Resume" : "Suspend"}</Button>
          {!closing?.closed_at && (
            <Button onClick={() => setAction("close")}>{closing ? "Keep" : "Close account"}</Button>
          )}
        </>
      )}
      <Dialog open={action === "view"} onOpenChange={close} title={`View the console as ${email}`}>
        <ViewForm account={id} />
      </Dialog>
      <Dialog open={action === "credit"} onOpenChange={close} title={`Credit ${email}`}>
        <CreditForm account={id} onDone={close} />
      </Dialog>
      <Dialog
        open={action === "suspend"}
        onOpenChange={close}
        title={suspended ? `Resume ${email}?` : `Suspend ${email}?`}
      >
        <SuspendForm account={account} onDone={close} />
      </Dialog>
      <Dialog open={action === "close"} onOpenChange={close} title={closing ? `Keep ${email}?` : `Close ${email}?`}>
        {closing ? <KeepForm account={id} onDone={close} /> : <CloseForm account={id} onDone={close} />}
      </Dialog>
      <Dialog
        open={action === "member"}
        onOpenChange={close}
        title={member ? "Withdraw membership?" : "Grant membership?"}
      >
        <MemberForm account={account} onDone={close} />
      </Dialog>
      <Dialog open={action === "book"} onOpenChange={close} title={`Change the price book of ${email}`}>
        <BookForm account={account} onDone={close} />
      </Dialog>
      <Dialog open={action === "weight"} onOpenChange={close} title={`Change the weight of ${email}`}>
        <WeightForm account={account} onDone={close} />
      </Dialog>
    </div>
  );
}

function CreditForm({ account, onDone }: { account: number; onDone: () => void }) {
  const { keyFor } = useIdempotencyKey();
  const credit = useHubMutation((trpc) => trpc.admin.accounts.credit, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: "Credit recorded.",
    onSuccess: onDone,
  });
  const onSubmit = (form: FormData) => {
    const [amount, note, reason] = [readText(form, "amount"), readText(form, "note"), readText(form, "reason")];
    credit.mutate({ account, amount, note, reason, reference: keyFor({ account, amount, note }) });
  };
  return (
    <OperatorForm verb="Credit" busy={credit.isPending} error={credit.error} onSubmit={onSubmit}>
      <TextField
        name="amount"
        label="Amount (EUR)"
        inputMode="decimal"
        autoComplete="off"
        required
        maxLength={30}
        data-missing="Enter an amount."
        hint="A negative amount corrects an earlier credit, up to the available balance."
        error={errorsOf(credit.error)?.field("amount", "The amount")}
      />
      <TextField
        name="note"
        label="Note on the statement (optional)"
        maxLength={500}
        hint="Visible to the account’s members."
      />
    </OperatorForm>
  );
}

function SuspendForm({ account: { id, suspended }, onDone }: { account: AccountRecord; onDone: () => void }) {
  const change = useHubMutation((trpc) => trpc.admin.accounts.suspend, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: suspended ? "Account resumed." : "Account suspended.",
    onSuccess: onDone,
  });
  return (
    <OperatorForm
      verb={suspended ? "Resume account" : "Suspend account"}
      kind={suspended ? "primary" : "danger"}
      busy={change.isPending}
      error={change.error}
      onSubmit={(form) => change.mutate({ account: id, suspended: !suspended, reason: readText(form, "reason") })}
    >
      <p className="text-sm leading-6 text-soft">
        {suspended
          ? "Its API keys work again immediately. Members have to sign in again."
          : "Its API keys and sessions stop working immediately. Accepted generations still run and are charged."}
      </p>
    </OperatorForm>
  );
}

function MemberForm({ account: { id, member }, onDone }: { account: AccountRecord; onDone: () => void }) {
  const change = useHubMutation((trpc) => trpc.admin.accounts.setMember, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: member ? "Membership withdrawn." : "Membership granted.",
    onSuccess: onDone,
  });
  return (
    <OperatorForm
      verb={member ? "Withdraw" : "Grant membership"}
      busy={change.isPending}
      error={change.error}
      onSubmit={(form) => change.mutate({ account: id, member: !member, reason: readText(form, "reason") })}
    >
      <p className="text-sm leading-6 text-soft">Members can use the models that the catalogue reserves for members.</p>
    </OperatorForm>
  );
}

function WeightForm({ account: { id, weight }, onDone }: { account: AccountRecord; onDone: () => void }) {
  const change = useHubMutation((trpc) => trpc.admin.accounts.setWeight, {
    invalidates: (trpc) => [trpc.admin.pathFilter()],
    showsError: true,
    successToast: "Weight changed.",
    onSuccess: onDone,
  });
  return (
    <OperatorForm
      verb="Change weight"
      busy={change.isPending}
      error={change.error}
      onSubmit={(form) =>
        change.mutate({ account: id, weight: Number(readText(form, "weight")), reason: readText(form, "reason") })
      }
    >
      <TextField
        name="weight"
        label="Weight"
        type="number"
        min={1}
        max={100}
        required
        defaultValue={weight}
        hint="Its share of workers and of limited provider slots while other accounts are waiting too. 1 to 100."
      />
    </OperatorForm>
  );
}

function ViewForm({ account }: { account: number }) {
  // A full page load drops the data of the operator's own account.
  const onSuccess = () => window.location.assign("/overview");
  const start = useMutation(useTRPC().admin.views.start.mutationOptions({ onSuccess }));
  return (
    <OperatorForm
      verb="View"
      busy={start.isPending}
      error={start.error}
      isReasonRequired={false}
      onSubmit={(form) => start.mutate({ account, reason: readText(form, "reason").trim() || null })}
    >
      <p className="text-sm leading-6 text-soft">
        You see the console as its members do for 15 minutes, but can’t change anything. Without a reason, prompts,
        outputs and files stay hidden. The audit log records when you start and stop.
      </p>
    </OperatorForm>
  );
}
