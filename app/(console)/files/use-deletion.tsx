"use client";

import { useState } from "react";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { Confirm } from "../../ui/dialog";
import { useFormats } from "../../ui/formats-context";
import { useToast } from "../../ui/toasts";
import { describeFile, type ListedFile } from "./types";

/** Returns a function that deletes files after a confirmation, and the dialog that asks for it. */
export function useDeletion(onDeleted: () => void) {
  const [files, setFiles] = useState<ListedFile[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const toast = useToast();
  const { mutate } = useHubMutation((trpc) => trpc.files.delete, {
    invalidates: (trpc) => [trpc.files.list.queryFilter()],
    onSuccess: (result) => {
      toast(describeResult(result));
      onDeleted();
    },
  });
  const confirmDeletion = (chosen: ListedFile[]) => {
    setFiles(chosen);
    setIsAsking(true);
  };
  const formats = useFormats();
  const [first] = files;
  const isOne = files.length === 1;
  const dialog = (
    <Confirm
      open={isAsking}
      onOpenChange={setIsAsking}
      title={isOne && first ? `Delete “${describeFile(first, formats)}”?` : `Delete ${files.length} files?`}
      verb={isOne ? "Delete file" : `Delete ${files.length} files`}
      onConfirm={() => mutate({ ids: files.map(({ id }) => id) })}
    >
      {isOne
        ? "Its URL stops working immediately, including links you shared."
        : "Their URLs stop working immediately, including links you shared."}{" "}
      This cannot be undone.
    </Confirm>
  );
  return { confirmDeletion, dialog };
}

/** Returns the message about a deletion. Files in use are kept; those that are missing were deleted elsewhere. */
function describeResult({ deleted, in_use }: { deleted: number; in_use: number }) {
  const done = deleted > 1 ? `${deleted} files deleted.` : "File deleted.";
  if (in_use === 0) return { text: done };
  const kept = `${in_use === 1 ? "1 file is" : `${in_use} files are`} used by an unfinished generation or a character.`;
  return { text: deleted > 0 ? `${done} ${kept}` : kept, tone: "danger" as const };
}
