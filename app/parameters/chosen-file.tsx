"use client";

import { Link2, X } from "lucide-react";
import { Button } from "../ui/button";
import { FileThumbnail } from "../ui/file-thumbnail";
import { ownPath } from "../ui/own-path";
import { formatBytes } from "../ui/format-bytes";
import type { StoredFile } from "../upload/upload-file";

interface Props {
  url: string;
  /** Set when the file was uploaded on this page. */
  file: StoredFile | undefined;
  onRemove: () => void;
}

/** Renders a file of an input, with a remove button. */
export const ChosenFile = ({ url, file, onRemove }: Props) => (
  <li className="flex items-center gap-3 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-2">
    {file ? (
      <FileThumbnail path={ownPath(file.url)} mediaType={file.media_type} size={file.size} />
    ) : (
      <Link2 size={16} aria-hidden className="mx-3 shrink-0 text-soft" />
    )}
    <span className="min-w-0 flex-1 truncate text-sm" title={url}>
      {file ? `${file.media_type}, ${formatBytes(file.size)}` : url}
    </span>
    <Button kind="ghost" className="px-2" aria-label={`Remove ${file?.media_type ?? url}`} onClick={onRemove}>
      <X size={16} aria-hidden />
    </Button>
  </li>
);
