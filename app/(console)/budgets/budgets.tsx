"use client";

import { useQuery } from "@tanstack/react-query";
import { PiggyBank, Plus } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Dialog } from "../../ui/dialog";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Sample } from "../../ui/sample";
import { useNewDialog } from "../../ui/use-new-dialog";
import { BudgetForm, readBudgetForm } from "./budget-form";
import { BudgetTable } from "./budget-table";
import type { Subjects } from "./types";

const sample = (
  <Sample
    icon={<PiggyBank size={18} />}
    title="Team blue"
    detail="€32.10 of €50.00 this week"
    end={<Badge>team=blue</Badge>}
  />
);

const POLL_INTERVAL_MS = 15_000;

export function Budgets() {
  const trpc = useTRPC();
  const { data: budgets } = useQuery({
    ...trpc.budgets.list.queryOptions(),
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
  });
  const { data: subjects } = useQuery(trpc.budgets.subjects.queryOptions());
  const { isOpen: isCreating, setOpen: setCreating } = useNewDialog("billing");
  if (!budgets || !subjects) return null;
  const hasBudgets = budgets.length > 0;
  const create = (
    <Button needs="billing" kind="primary" onClick={() => setCreating(true)}>
      <Plus size={16} aria-hidden />
      Create budget
    </Button>
  );
  return (
    <>
      <PageHeader title="Budgets" action={hasBudgets && create}>
        Limit what API keys, a member, a team or each end user may spend.
      </PageHeader>
      <Card
        flush
        title="Budgets"
        action={<span className="text-sm text-soft tabular-nums">{budgets.length} of 20</span>}
      >
        {hasBudgets ? (
          <BudgetTable budgets={budgets} subjects={subjects} />
        ) : (
          <Notice heading="h3" title="No budgets yet" icon={<PiggyBank size={20} />} sample={sample} action={create}>
            A budget stops requests that would spend more than its amount, until it resets.
          </Notice>
        )}
      </Card>
      <CreateBudget subjects={subjects} open={isCreating} onOpenChange={setCreating} />
    </>
  );
}

interface CreateProps {
  subjects: Subjects;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function CreateBudget({ subjects, open, onOpenChange }: CreateProps) {
  const create = useHubMutation((trpc) => trpc.budgets.create, {
    invalidates: (trpc) => [trpc.budgets.list.queryFilter()],
    showsError: true,
    successToast: "Budget created.",
    onSuccess: () => onOpenChange(false),
  });
  const change = (next: boolean) => {
    onOpenChange(next);
    if (!next) create.reset();
  };
  return (
    <Dialog open={open} onOpenChange={change} title="Create a budget">
      <BudgetForm
        subjects={subjects}
        busy={create.isPending}
        error={create.error}
        onSubmit={(form) => create.mutate(readBudgetForm(form))}
      />
    </Dialog>
  );
}
