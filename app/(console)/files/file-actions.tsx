import { Download, Trash2 } from "lucide-react";
import { useFormats } from "../../ui/formats-context";
import type { ReactNode } from "react";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Link } from "../../ui/link";
import { ownPath } from "../../ui/own-path";
import { useToast } from "../../ui/toasts";
import { ShareOutput } from "../shares/share-output";
import { describeFile, type ListedFile } from "./types";

interface Props {
  file: ListedFile;
  /** Shows icons without words. */
  isCompact: boolean;
  onDelete: () => void;
}

/** Renders a file's actions. */
export function FileActions({ file, isCompact, onDelete }: Props) {
  const name = describeFile(file, useFormats());
  const toast = useToast();
  return (
    <span className="flex justify-end gap-1">
      {file.generation_id === null ? (
        <CopyButton
          text={file.url}
          label="Copy input URL"
          subject={name}
          iconOnly={isCompact || "phone"}
          onCopied={() => toast({ text: "Copied. Only requests of this account can read this URL." })}
        />
      ) : (
        <ShareOutput url={file.url} subject={name} iconOnly={isCompact || "phone"} />
      )}
      <Button asChild kind="ghost" className={`px-2 ${isCompact ? "" : "max-sm:hidden"}`}>
        <a href={ownPath(file.url)} download aria-label={`Download ${name}`} title="Download">
          <Download size={16} aria-hidden />
        </a>
      </Button>
      <Button
        needs="develop"
        kind="ghost"
        className="px-2"
        aria-label={`Delete ${name}`}
        title="Delete"
        onClick={onDelete}
      >
        <Trash2 size={16} aria-hidden />
      </Button>
    </span>
  );
}

/** Renders where a file comes from: a link to its generation, or that it was uploaded. */
export function FileSource({ file }: { file: ListedFile }) {
  const name = describeFile(file, useFormats());
  return file.generation_id === null ? (
    <>Upload</>
  ) : (
    <Link
      href={`/generations/${file.generation_id}`}
      className="underline hover:text-ink"
      aria-label={`View generation of ${name}`}
    >
      View generation
    </Link>
  );
}

/** Links to a file, in a new tab, by its name or else its type. */
export const FileLink = ({ file, className }: { file: ListedFile; className: string }) => (
  <a
    href={ownPath(file.url)}
    target="_blank"
    rel="noreferrer"
    title={describeFile(file, useFormats())}
    className={`truncate leading-6 font-medium hover:underline ${className}`}
  >
    {file.name ?? file.media_type}
  </a>
);

/** Links to a file by its picture; the keyboard and screen readers use the `FileLink` beside it. */
export const PictureLink = ({ file, ...props }: { file: ListedFile; className?: string; children: ReactNode }) => (
  <a href={ownPath(file.url)} target="_blank" rel="noreferrer" tabIndex={-1} aria-hidden {...props} />
);
