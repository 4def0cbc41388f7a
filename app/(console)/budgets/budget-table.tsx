import { useState } from "react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { ConfirmedButton, Dialog } from "../../ui/dialog";
import { Money } from "../../ui/money";
import { Meter } from "../../ui/progress-bar";
import { ActionTable, Td } from "../../ui/table";
import { TimeUntil } from "../../ui/values";
import { EditForm, readEditForm } from "./budget-form";
import { type Budget, describeScope, describeWindow, type Subjects } from "./types";

/** Lists budgets with what is spent of each. */
export const BudgetTable = ({ budgets, subjects }: { budgets: Budget[]; subjects: Subjects }) => (
  <ActionTable
    label="Budgets"
    columns={[
      { title: "Name" },
      { title: "Spent", className: "max-md:hidden" },
      { title: "Resets", className: "max-md:hidden" },
    ]}
  >
    {budgets.map((budget) => (
      <BudgetRow key={budget.id} budget={budget} subjects={subjects} />
    ))}
  </ActionTable>
);

const BudgetRow = ({ budget, subjects }: { budget: Budget; subjects: Subjects }) => (
  <tr>
    <Td className="max-w-96 max-md:w-full max-md:max-w-0 max-md:pr-0">
      <span className="block truncate font-medium" title={budget.name}>
        {budget.name}
      </span>
      <span className="block truncate text-xs text-soft" title={describeScope(budget, subjects)}>
        {describeScope(budget, subjects)}
      </span>
      <div className="mt-2 md:hidden">
        <Spent budget={budget} />
      </div>
    </Td>
    <Td className="max-md:hidden">
      <Spent budget={budget} />
    </Td>
    <Td className="text-soft max-md:hidden">{budget.resets_at ? <TimeUntil at={budget.resets_at} /> : "Never"}</Td>
    <Td className="text-right">
      <span className="flex justify-end gap-1 max-md:flex-col max-md:items-end">
        <EditBudget budget={budget} />
        <RemoveBudget budget={budget} />
      </span>
    </Td>
  </tr>
);

function Spent({ budget }: { budget: Budget }) {
  const { spent, amount, scope } = budget;
  return (
    <div className="grid w-40 gap-1">
      <span>
        <Money euros={spent} /> <span className="text-soft">of</span> <Money euros={amount} />
      </span>
      <Meter share={spent / amount} label={`Spent ${describeWindow(budget)} of ${budget.name}`} />
      <span className="text-xs text-soft">
        {describeWindow(budget)}
        {"each_end_user" in scope && ", by who spent most"}
      </span>
    </div>
  );
}

function EditBudget({ budget }: { budget: Budget }) {
  const { id, name } = budget;
  const [isOpen, setOpen] = useState(false);
  const update = useHubMutation((trpc) => trpc.budgets.update, {
    invalidates: (trpc) => [trpc.budgets.list.queryFilter()],
    showsError: true,
    successToast: "Budget updated.",
    onSuccess: () => setOpen(false),
  });
  return (
    <>
      <Button needs="billing" kind="ghost" aria-label={`Edit ${name}`} onClick={() => setOpen(true)}>
        Edit
      </Button>
      <Dialog open={isOpen} onOpenChange={setOpen} title={`Edit “${name}”`}>
        <EditForm
          budget={budget}
          busy={update.isPending}
          error={update.error}
          onSubmit={(form) => update.mutate({ id, ...readEditForm(form) })}
        />
      </Dialog>
    </>
  );
}

function RemoveBudget({ budget: { id, name } }: { budget: Budget }) {
  const remove = useHubMutation((trpc) => trpc.budgets.remove, {
    invalidates: (trpc) => [trpc.budgets.list.queryFilter()],
    successToast: "Budget removed.",
  });
  return (
    <ConfirmedButton
      needs="billing"
      label={`Remove ${name}`}
      busy={remove.isPending}
      title={`Remove “${name}”?`}
      verb="Remove budget"
      question="It stops limiting requests immediately. This cannot be undone."
      onConfirm={() => remove.mutate({ id })}
    >
      Remove
    </ConfirmedButton>
  );
}
