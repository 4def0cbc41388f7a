"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { FolderOpen } from "lucide-react";
import { useState } from "react";
import { useTRPC } from "../../trpc/client";
import { PageHeader } from "../../ui/page-header";
import { formatBytes } from "../../ui/number-formats";
import { useToast } from "../../ui/toasts";
import { DropZone } from "../../upload/drop-zone";
import { UploadList } from "../../upload/upload-list";
import { useUploads } from "../../upload/use-uploads";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Notice } from "../../ui/notice";
import { Pager, useCursor } from "../../ui/pager";
import { Segments } from "../../ui/segments";
import { FileTable } from "./file-table";

export function Files({ maxBytes, hoursKept }: { maxBytes: number; hoursKept: number }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const toast = useToast();
  const { uploads, add } = useUploads(maxBytes, (_, name) => {
    toast({ text: `Uploaded “${name}”.` });
    void client.invalidateQueries(trpc.files.list.queryFilter());
  });
  return (
    <>
      <PageHeader title="Files">Your uploads and outputs. Files are deleted automatically when they expire.</PageHeader>
      <div className="grid gap-6">
        <div className="grid gap-3">
          <DropZone onFiles={add} multiple verb="Choose files">
            <p className="font-medium text-ink">Drop files here to upload them</p>
            <p>
              Images, video, audio, PDF, text, JSON or safetensors, up to {formatBytes(maxBytes)} each. Kept for{" "}
              {hoursKept} hours.
            </p>
          </DropZone>
          <UploadList uploads={uploads} />
        </div>
        <FileList />
      </div>
    </>
  );
}

const kinds = [
  { value: "all", label: "All" },
  { value: "upload", label: "Uploads" },
  { value: "output", label: "Outputs" },
] as const;
type Kind = (typeof kinds)[number]["value"];

const empty: Record<Kind, string> = {
  all: "No files yet",
  upload: "No uploads yet",
  output: "No outputs yet",
};

/** Lists the account's files, with pagination. */
function FileList() {
  const [kind, setKind] = useState<Kind>("all");
  const pager = useCursor();
  const input = { kind: kind === "all" ? undefined : kind, cursor: pager.cursor };
  const { data, error, refetch } = useQuery({
    ...useTRPC().files.list.queryOptions(input),
    placeholderData: keepPreviousData,
  });
  const change = (next: Kind) => {
    setKind(next);
    pager.reset();
  };
  return (
    <Card flush title="Stored" action={<Segments label="Show" options={kinds} value={kind} onChange={change} />}>
      {!data ? (
        <Notice
          title="The files could not be loaded"
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        >
          {errorsOf(error)?.message}
        </Notice>
      ) : data.data.length > 0 ? (
        <FileTable files={data.data} />
      ) : (
        <Notice title={empty[kind]} icon={<FolderOpen size={20} />}>
          {pager.isFirst
            ? "Upload an image and use its URL as an input. Outputs appear here too."
            : "The files on this page have expired."}
        </Notice>
      )}
      <Pager pager={pager} next={data?.next_cursor} />
    </Card>
  );
}
