"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { readText } from "../../../ui/form";
import { ActionTable, Td } from "../../../ui/table";
import { DateTime } from "../../../ui/values";
import { OperatorForm } from "../../operator-form";
import { useIsOperator } from "../../use-operator";
import type { Revision } from "./types";

interface Props {
  revisions: Revision[];
  base: number | null;
  /** Shows a text in the editor. */
  onLoad: (source: string) => void;
}

/** Lists the applied revisions, which can be opened and rolled back to. */
export function Revisions({ revisions, base, onLoad }: Props) {
  const [restored, setRestored] = useState<number | null>(null);
  if (revisions.length === 0) return <p className="px-5 py-4 text-sm text-soft">No revisions yet.</p>;
  return (
    <>
      <ActionTable
        label="History"
        columns={[
          { title: "Revision" },
          { title: "Applied", className: "max-sm:hidden" },
          { title: "By", className: "max-md:hidden" },
        ]}
      >
        {revisions.map((revision) => (
          <Row
            key={revision.id}
            revision={revision}
            isApplied={revision.id === base}
            onLoad={onLoad}
            onRestore={() => setRestored(revision.id)}
          />
        ))}
      </ActionTable>
      <Dialog
        open={restored !== null}
        onOpenChange={() => setRestored(null)}
        title={`Roll back to revision ${restored}?`}
      >
        {restored !== null && <RollBackForm id={restored} base={base} onDone={() => setRestored(null)} />}
      </Dialog>
    </>
  );
}

interface RowProps {
  revision: Revision;
  isApplied: boolean;
  onLoad: (source: string) => void;
  onRestore: () => void;
}

function Row({ revision: { id, applied_at, operator, reason }, isApplied, onLoad, onRestore }: RowProps) {
  const isOperator = useIsOperator();
  const trpc = useTRPC();
  const client = useQueryClient();
  const open = useMutation({
    mutationFn: () => client.fetchQuery(trpc.admin.catalogue.revision.queryOptions({ id })),
    onSuccess: (source) => {
      onLoad(source);
      window.scrollTo({ top: 0 });
    },
  });
  return (
    <tr>
      <Td className="w-full max-w-0">
        <span className="flex items-center gap-2 font-medium">
          {id} {isApplied && <Badge tone="good">Applied</Badge>}
        </span>
        {reason && <span className="block truncate text-xs text-soft">“{reason}”</span>}
      </Td>
      <Td className="text-soft max-sm:hidden">
        <DateTime at={applied_at} />
      </Td>
      <Td className="text-soft max-md:hidden">{operator ?? "Unknown"}</Td>
      <Td>
        {!isApplied && (
          <span className="flex justify-end gap-2">
            <Button busy={open.isPending} aria-label={`Open revision ${id}`} onClick={() => open.mutate()}>
              Open
            </Button>
            {isOperator && (
              <Button aria-label={`Roll back to revision ${id}`} onClick={onRestore}>
                Roll back
              </Button>
            )}
          </span>
        )}
      </Td>
    </tr>
  );
}

function RollBackForm({ id, base, onDone }: { id: number; base: number | null; onDone: () => void }) {
  const rollBack = useHubMutation((trpc) => trpc.admin.catalogue.rollBack, {
    invalidates: (trpc) => [trpc.admin.catalogue.get.queryFilter()],
    showsError: true,
    successToast: ({ revision }) => `Rolled back as revision ${revision}.`,
    onSuccess: onDone,
  });
  return (
    <OperatorForm
      verb="Roll back"
      busy={rollBack.isPending}
      error={rollBack.error}
      onSubmit={(form) => rollBack.mutate({ id, base, reason: readText(form, "reason") })}
    >
      <p className="text-sm leading-6 text-soft">
        Its text is applied to all hubs as a new revision. Accepted generations keep their price.
      </p>
    </OperatorForm>
  );
}
