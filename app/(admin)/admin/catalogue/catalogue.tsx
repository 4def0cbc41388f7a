"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { FormError } from "../../../ui/field";
import { PageHeader } from "../../../ui/page-header";
import { useIsOperator } from "../../use-operator";
import { ApplyForm } from "./apply-form";
import { Changes } from "./changes";
import { Editor } from "./editor";
import { Issues } from "./issues";
import { Revisions } from "./revisions";
import type { AppliedCatalogue, CheckedDraft } from "./types";

/** Shows the applied catalogue, and lets an operator check, compare and apply another text. */
export function Catalogue() {
  const { data } = useQuery({ ...useTRPC().admin.catalogue.get.queryOptions(), refetchOnWindowFocus: false });
  if (!data) return null;
  return (
    <>
      <PageHeader title="Catalogue">
        The models on offer, their prices and the routes that serve them, as YAML.
      </PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {data.file && (
          <p className="rounded-xl border border-warning bg-warning-wash px-5 py-3 text-sm leading-6 text-warning">
            This hub uses the file {data.file} (HUB_CATALOGUE), so nothing can be applied here.
          </p>
        )}
        {/* Another revision begins anew. */}
        <Draft key={data.base} applied={data} />
      </div>
    </>
  );
}

/** Shows the editor of a text that is based on the applied one, what the check says of it, and the history. */
function Draft({ applied }: { applied: AppliedCatalogue }) {
  const { base, file, revisions } = applied;
  const [source, setSource] = useState(applied.source);
  const isChanged = source !== applied.source;
  const isOperator = useIsOperator();
  const check = useMutation(useTRPC().admin.catalogue.check.mutationOptions());
  // What was checked no longer says anything about a text that was changed since.
  const checked = check.data && check.variables.source === source ? check.data : null;
  return (
    <>
      <Card
        flush
        title={`${base === null ? "No catalogue was applied yet" : `Revision ${base}`}${isChanged ? ", changed" : ""}`}
        action={
          <span className="flex gap-2">
            {isChanged && <Button onClick={() => setSource(applied.source)}>Discard changes</Button>}
            <CheckButton busy={check.isPending} onClick={() => check.mutate({ source })} />
          </span>
        }
      >
        <Editor value={source} readOnly={!isOperator} issues={checked?.issues ?? []} onChange={setSource} />
      </Card>
      <FormError>{errorsOf(check.error)?.message}</FormError>
      {checked && (
        <CheckCard checked={checked}>{isChanged && !file && <ApplyForm source={source} base={base} />}</CheckCard>
      )}
      <Card flush title="History">
        <Revisions revisions={revisions} base={base} onLoad={setSource} />
      </Card>
    </>
  );
}

/** Renders the button that checks a text; nothing for an auditor, who changes none. */
const CheckButton = (props: { busy: boolean; onClick: () => void }) =>
  useIsOperator() && <Button {...props}>Check</Button>;

/** Shows what the check found; for an operator and a valid text, with what applies it. */
function CheckCard({ checked, children }: { checked: CheckedDraft; children: ReactNode }) {
  const isOperator = useIsOperator();
  return (
    <Card title="Check">
      <div className="grid gap-6">
        <Issues checked={checked} />
        {checked.issues.length === 0 && (
          <>
            <Changes changes={checked.changes} />
            {isOperator && children}
          </>
        )}
      </div>
    </Card>
  );
}
