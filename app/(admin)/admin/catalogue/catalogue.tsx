"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { Badge, type Tone } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { PageHeader } from "../../../ui/page-header";
import { RevisionDraft } from "../revision-draft";
import { Prices } from "./prices";
import { Revisions } from "./revisions";
import type { AppliedCatalogue, CheckedDraft } from "./types";

/** Shows the applied catalogue, and lets an operator check, compare and apply changes. */
export function Catalogue() {
  const { data } = useQuery({ ...useTRPC().admin.catalogue.get.queryOptions(), refetchOnWindowFocus: false });
  if (!data) return null;
  return (
    <>
      <PageHeader title="Catalogue">Models, prices and routes, as YAML.</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {data.file && (
          <p className="rounded-xl border border-warning bg-warning-wash px-5 py-3 text-sm leading-6 text-warning">
            This hub reads its catalogue from {data.file} (HUB_CATALOGUE), so it can’t be changed here.
          </p>
        )}
        {/* A new revision resets the editor. */}
        <Draft key={data.base} applied={data} />
        {data.base !== null && data.file === null && <Prices />}
      </div>
    </>
  );
}

/** Shows the editor, the result of the last check and the history. */
function Draft({ applied }: { applied: AppliedCatalogue }) {
  const { base, file, revisions } = applied;
  const [source, setSource] = useState(applied.source);
  const check = useMutation(useTRPC().admin.catalogue.check.mutationOptions());
  const apply = useHubMutation((trpc) => trpc.admin.catalogue.applyDraft, {
    invalidates: (trpc) => [trpc.admin.catalogue.get.queryFilter()],
    showsError: true,
    successToast: ({ revision }) => `Applied as revision ${revision}.`,
  });
  return (
    <>
      <RevisionDraft
        label="Catalogue as YAML"
        base={base}
        applied={applied.source}
        source={source}
        onChange={setSource}
        check={check}
        apply={apply}
        canApply={!file}
        renderChanges={({ changes }) => <Changes changes={changes} />}
      />
      <Card flush title="History">
        <Revisions revisions={revisions} base={base} onLoad={setSource} />
      </Card>
    </>
  );
}

const kinds: Record<CheckedDraft["changes"][number]["kind"], [Tone, string]> = {
  added: ["good", "Added"],
  removed: ["danger", "Removed"],
  changed: ["accent", "Changed"],
};

/** Lists the models that differ from the applied catalogue, with each setting before and after. */
function Changes({ changes }: Pick<CheckedDraft, "changes">) {
  if (changes.length === 0) return <p className="text-sm text-soft">No changes to models, prices or routes.</p>;
  return (
    <ul className="grid gap-4">
      {changes.map(({ model, kind, settings }) => (
        <li key={model} className="grid gap-1">
          <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
            <span className="wrap-anywhere">{model}</span>
            <Badge tone={kinds[kind][0]}>{kinds[kind][1]}</Badge>
          </p>
          <ul className="grid gap-0.5 font-mono text-xs leading-5">
            {settings.map(({ setting, before, after }) => (
              <li key={setting} className="wrap-anywhere">
                <span className="text-soft">{setting}: </span>
                {before !== null && <del className="text-danger">{before}</del>}
                {before !== null && after !== null && " → "}
                {after !== null && <ins className="text-good no-underline">{after}</ins>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
