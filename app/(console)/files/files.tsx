"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTRPC } from "../../trpc/client";
import { usePermission } from "../../ui/access-context";
import { PageHeader } from "../../ui/page-header";
import { Bytes } from "../../ui/formats-context";
import { useToast } from "../../ui/toasts";
import { DropZone } from "../../upload/drop-zone";
import { UploadList } from "../../upload/upload-list";
import { useUploads } from "../../upload/use-uploads";
import { FileList } from "./file-list";

export function Files({ maxBytes, hoursKept }: { maxBytes: number; hoursKept: number }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const toast = useToast();
  const { uploads, add } = useUploads(maxBytes, (_, name) => {
    toast({ text: `Uploaded “${name}”.` });
    void client.invalidateQueries(trpc.files.list.queryFilter());
  });
  const canUpload = usePermission("develop");
  return (
    <>
      <PageHeader title="Files">Your uploads and outputs. Files are deleted automatically when they expire.</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        {canUpload && (
          <div className="grid gap-3">
            <DropZone onFiles={add} multiple verb="Choose files">
              <p className="font-medium text-ink">Drop files here to upload them</p>
              <p>
                Images, video, audio, PDF, text, JSON or safetensors, up to <Bytes value={maxBytes} /> each. Kept for{" "}
                {hoursKept} hours.
              </p>
            </DropZone>
            <UploadList uploads={uploads} />
          </div>
        )}
        <FileList />
      </div>
    </>
  );
}
