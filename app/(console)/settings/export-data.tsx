"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import type { Outputs } from "../../trpc/outputs";
import { type Trpc, useHubMutation } from "../../trpc/use-hub-mutation";
import { Button } from "../../ui/button";
import { ConfirmedButton } from "../../ui/dialog";
import { ProgressBar } from "../../ui/progress-bar";
import { Bytes, Count, TimeUntil } from "../../ui/values";

const POLL_INTERVAL_MS = 2_000;

type Export = NonNullable<Outputs["exports"]["newest"]>;

const invalidates = (trpc: Trpc) => [trpc.exports.newest.queryFilter()];

/** Starts an export of the account's data, shows its progress, and offers the archive until it expires. */
export function ExportData() {
  const { data: newest } = useQuery({
    ...useTRPC().exports.newest.queryOptions(),
    refetchInterval: ({ state }) => state.data?.state === "running" && POLL_INTERVAL_MS,
  });
  return (
    <div className="grid gap-4">
      <p className="text-sm leading-6 text-soft">
        One ZIP archive with all data of this account: generations, statement, payments with their invoices, keys
        without secrets, members, webhooks, characters, outputs and uploads. You can download it for 24 hours.
      </p>
      {newest && <ExportState newest={newest} />}
      <div className="flex flex-wrap gap-2">
        {newest?.state === "ready" && (
          <Button kind="primary" asChild>
            <a href={`/settings/export/${newest.id}`} download>
              Download archive
            </a>
          </Button>
        )}
        {newest?.state !== "running" && <StartExport state={newest?.state} />}
        {(newest?.state === "running" || newest?.state === "ready") && <DeleteExport newest={newest} />}
      </div>
    </div>
  );
}

function StartExport({ state }: { state: Export["state"] | undefined }) {
  const start = useHubMutation((trpc) => trpc.exports.start, { invalidates });
  return (
    <Button kind={state === "ready" ? "quiet" : "primary"} busy={start.isPending} onClick={() => start.mutate()}>
      {state ? "Start a new export" : "Export data"}
    </Button>
  );
}

function DeleteExport({ newest: { id, state } }: { newest: Export }) {
  const remove = useHubMutation((trpc) => trpc.exports.delete, { invalidates, successToast: "Export deleted." });
  const isRunning = state === "running";
  return (
    <ConfirmedButton
      busy={remove.isPending}
      title={isRunning ? "Cancel the export?" : "Delete the export?"}
      verb={isRunning ? "Cancel export" : "Delete export"}
      question="Its archive is deleted. Your data stays as it is."
      onConfirm={() => remove.mutate({ id })}
    >
      {isRunning ? "Cancel export" : "Delete export"}
    </ConfirmedButton>
  );
}

function ExportState({ newest }: { newest: Export }) {
  if (newest.state === "running")
    return (
      <div className="grid gap-2 text-sm" role="status">
        <p>
          Collecting your data: <Bytes value={newest.size} /> so far. You can leave this page.
        </p>
        <ProgressBar share={newest.progress} label="Progress of the export" />
      </div>
    );
  if (newest.state === "ready")
    return (
      <p className="text-sm leading-6" role="status">
        Your archive is ready: <Bytes value={newest.size} /> in <Count value={newest.files} /> files. It expires{" "}
        <TimeUntil at={newest.expires_at!} />.
        {newest.missing_files > 0 && (
          <>
            {" "}
            <Count value={newest.missing_files} /> files could not be read; missing-files.csv in the archive has their
            names.
          </>
        )}
      </p>
    );
  if (newest.state === "failed") return <p className="text-sm text-danger">{newest.error}</p>;
  return <p className="text-sm text-soft">Your last archive has expired and was deleted.</p>;
}
