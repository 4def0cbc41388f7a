"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Card } from "../../../ui/card";
import { Dialog } from "../../../ui/dialog";
import { readText } from "../../../ui/form";
import { OperatorForm } from "../../operator-form";
import { useIsOperator } from "../../use-operator";
import { PriceListForm } from "./price-list-form";
import { PriceTable } from "./price-table";
import type { ComparedPrices } from "./types";

/** Compares the prices of the applied catalogue with a public list, and lets an operator apply them; nothing for an auditor. */
export function Prices() {
  const isOperator = useIsOperator();
  const compare = useMutation(useTRPC().admin.catalogue.prices.compare.mutationOptions());
  const [chosen, setChosen] = useState<string[]>([]);
  const { data: compared } = compare;
  if (!isOperator) return null;
  return (
    <Card title="Compare prices">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <PriceListForm busy={compare.isPending} error={compare.error} onCompare={compare.mutate} />
        {compared && <PriceTable compared={compared} onApply={setChosen} />}
      </div>
      <Dialog
        open={chosen.length > 0}
        onOpenChange={() => setChosen([])}
        title={`Apply prices of ${chosen.length === 1 ? chosen[0] : `${chosen.length} models`}?`}
      >
        {compared && (
          <ApplyForm
            compared={compared}
            models={chosen}
            onDone={() => {
              setChosen([]);
              // Compares the remaining prices with the new revision.
              compare.mutate({ list: compared.list });
            }}
          />
        )}
      </Dialog>
    </Card>
  );
}

interface Props {
  compared: ComparedPrices;
  models: string[];
  onDone: () => void;
}

function ApplyForm({ compared: { list, base }, models, onDone }: Props) {
  const apply = useHubMutation((trpc) => trpc.admin.catalogue.prices.applyModels, {
    invalidates: (trpc) => [trpc.admin.catalogue.get.queryFilter()],
    showsError: true,
    successToast: ({ revision }) => `Applied as revision ${revision}.`,
    onSuccess: onDone,
  });
  return (
    <OperatorForm
      verb="Apply prices"
      busy={apply.isPending}
      error={apply.error}
      onSubmit={(form) => apply.mutate({ list, models, base, reason: readText(form, "reason") })}
    >
      <p className="text-sm leading-6 text-soft">
        They take effect in all hubs, as a new revision. Accepted generations keep their price.
      </p>
    </OperatorForm>
  );
}
