"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { useHubMutation } from "../../../trpc/use-hub-mutation";
import { usePermission } from "../../../ui/access-context";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { FileHashes } from "../../../ui/file-hashes";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { ProgressBar } from "../../../ui/progress-bar";
import { useToast } from "../../../ui/toasts";
import { DropZone } from "../../../upload/drop-zone";
import { UploadList } from "../../../upload/upload-list";
import { useUploads } from "../../../upload/use-uploads";
import type { Character } from "../types";
import { charactersAndBalance } from "./character-actions";

interface Props {
  character: Character;
  maxBytes: number;
}

/** Shows the state of a character's training and the next step. */
export function TrainingStatus({ character, maxBytes }: Props) {
  const { status, progress } = character;
  switch (status) {
    case "draft":
      return (
        <Card title="Not trained yet">
          <p className="text-sm leading-6 text-soft">
            Training starts on the next free worker.{" "}
            {character.estimated_cost !== null && (
              <>
                We reserve <Money euros={character.estimated_cost} className="font-medium text-ink" /> and charge the
                GPU time used, never more.
              </>
            )}
          </p>
        </Card>
      );
    case "queued":
      return (
        <Card title="Waiting for a worker">
          <p className="text-sm leading-6 text-soft">
            {progress === null
              ? "Training starts as soon as one is free."
              : `Training continues from ${percent(progress)} as soon as one is free.`}{" "}
            <Link href="/workers" className="text-accent underline">
              View workers
            </Link>
          </p>
        </Card>
      );
    case "running":
      return (
        <Card
          title="Training"
          action={<span className="text-sm font-semibold tabular-nums">{wordProgress(progress)}</span>}
        >
          <ProgressBar share={progress} label="Progress" unknown="Starting" />
        </Card>
      );
    case "awaiting_supply":
      return <AwaitedFiles character={character} maxBytes={maxBytes} />;
    case "failed":
    case "canceled":
      return <Stopped character={character} />;
    case "ready":
      return null;
  }
}

const percent = (share: number) => `${Math.floor(share * 100)}%`;

const wordProgress = (share: number | null) => (share === null ? "Starting…" : percent(share));

function Stopped({ character: { status, error, resume } }: { character: Character }) {
  const isFailed = status === "failed";
  return (
    <section
      aria-label={isFailed ? "Error" : "Canceled"}
      className={`rounded-xl border p-5 text-sm leading-6 ${isFailed ? "border-danger bg-danger-wash text-danger" : "border-line bg-raised"}`}
    >
      <h2 className="font-semibold">{error?.message ?? "Training was canceled"}</h2>
      {error && <code className="font-mono">{error.code}</code>}
      {resume && (
        <p className="mt-1">
          {resume.from === null ? "Resuming starts over" : `Resuming continues from ${percent(resume.from)}`} and costs
          up to <Money euros={resume.estimated_cost} className="font-medium" />.
        </p>
      )}
    </section>
  );
}

function AwaitedFiles({ character: { id, missing }, maxBytes }: Props) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const toast = useToast();
  const canUpload = usePermission("develop");
  const recheck = useHubMutation((trpc) => trpc.characters.resume, { invalidates: charactersAndBalance });
  const { uploads, add } = useUploads(maxBytes, (_, name) => {
    toast({ text: `Uploaded “${name}”.` });
    void client.invalidateQueries(trpc.characters.get.queryFilter({ id: String(id) }));
  });
  return (
    <section
      aria-label="Missing pictures"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-xl border border-warning bg-warning-wash p-5 text-sm text-warning"
    >
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="font-semibold">Waiting for your pictures</h2>
          <p className="mt-1">Upload the files with these SHA-256 hashes and training starts automatically.</p>
        </div>
        <Button needs="develop" busy={recheck.isPending} onClick={() => recheck.mutate({ id: String(id) })}>
          Check again
        </Button>
      </div>
      <FileHashes files={missing} />
      {canUpload && (
        <>
          <DropZone multiple verb="Choose pictures" onFiles={add}>
            Drop the missing pictures here
          </DropZone>
          <UploadList uploads={uploads} />
        </>
      )}
    </section>
  );
}
