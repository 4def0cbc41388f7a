"use client";

import { useMutation } from "@tanstack/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import { Download, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Root } from "@/server/trpc/root";
import { useMutationHandlers } from "../../trpc/use-mutation-handlers";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { CopyButton } from "../../ui/copy-button";
import { Expiry, TimeAgo } from "../../ui/time-ago";
import { FileThumbnail } from "../../ui/file-thumbnail";
import { ownPath } from "../../ui/own-path";
import { Table, Td, Th } from "../../ui/table";
import { formatBytes } from "../../ui/number-formats";
type ListedFile = inferRouterOutputs<Root>["files"]["list"]["data"][number];

export function FileTable({ files }: { files: ListedFile[] }) {
  const [deleting, setDeleting] = useState<ListedFile | null>(null);
  const remove = useDelete();
  return (
    <>
      <Table label="Files">
        <thead>
          <tr>
            <Th>File</Th>
            <Th className="max-md:hidden">Source</Th>
            <Th className="max-md:hidden">Expires</Th>
            <Th className="max-lg:hidden">SHA-256</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <FileRow key={file.id} file={file} onDelete={() => setDeleting(file)} />
          ))}
        </tbody>
      </Table>
      <Confirm
        open={deleting !== null}
        onOpenChange={() => setDeleting(null)}
        title="Delete this file?"
        verb="Delete file"
        onConfirm={() => deleting && remove.mutate({ id: deleting.id })}
      >
        Its URL stops working immediately, including links you shared. This cannot be undone.
      </Confirm>
    </>
  );
}

function useDelete() {
  const { trpc, toast, handlers } = useMutationHandlers((trpc) => [trpc.files.list.queryFilter()]);
  return useMutation(
    trpc.files.delete.mutationOptions({ ...handlers, onSuccess: () => toast({ text: "File deleted." }) }),
  );
}

function FileRow({ file, onDelete }: { file: ListedFile; onDelete: () => void }) {
  const path = ownPath(file.url);
  const name = `${file.media_type}, ${formatBytes(file.size)}`;
  return (
    <tr>
      <Td className="w-full max-w-0 max-sm:pr-0">
        <a href={path} target="_blank" rel="noreferrer" className="group flex items-center gap-3" title={file.id}>
          <FileThumbnail path={path} mediaType={file.media_type} size={file.size} />
          <span className="grid min-w-0 leading-5">
            <span className="truncate font-medium group-hover:underline">{file.media_type}</span>
            <span className="text-xs whitespace-normal text-soft">
              {formatBytes(file.size)}
              <span className="md:hidden">
                {" "}
                · expires <Expiry at={file.expires_at} />
              </span>
              <span className="max-md:hidden">
                {" "}
                · added <TimeAgo at={file.created_at} />
              </span>
            </span>
          </span>
        </a>
      </Td>
      <Td className="max-md:hidden">
        <Badge tone={file.kind === "output" ? "accent" : "neutral"}>
          {file.kind === "output" ? "Output" : "Upload"}
        </Badge>
      </Td>
      <Td className="text-soft max-md:hidden">
        <Expiry at={file.expires_at} />
      </Td>
      <Td className="max-lg:hidden">
        <span className="flex items-center gap-1">
          <code className="font-mono text-xs text-soft" title={file.sha256}>
            {file.sha256.slice(0, 10)}…
          </code>
          <CopyButton text={`sha256:${file.sha256}`} label="Copy SHA-256 hash" subject={name} iconOnly />
        </span>
      </Td>
      <Td>
        <span className="flex justify-end gap-1">
          <CopyButton text={file.url} label="Copy URL" subject={name} iconOnly="phone" />
          <Button asChild kind="ghost" className="px-2 max-sm:hidden">
            <a href={path} download aria-label={`Download ${name}`} title="Download">
              <Download size={16} aria-hidden />
            </a>
          </Button>
          <Button kind="ghost" className="px-2" aria-label={`Delete ${name}`} title="Delete" onClick={onDelete}>
            <Trash2 size={16} aria-hidden />
          </Button>
        </span>
      </Td>
    </tr>
  );
}
