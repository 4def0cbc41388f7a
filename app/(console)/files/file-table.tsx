import { CopyButton } from "../../ui/copy-button";
import { FileThumbnail } from "../../ui/file-thumbnail";
import { useFormats } from "../../ui/formats-context";
import { ownPath } from "../../ui/own-path";
import { type Selection, SelectRow } from "../../ui/selection";
import { ActionsTh, Table, Td, Th } from "../../ui/table";
import { Bytes, Expiry, TimeAgo } from "../../ui/values";
import { FileActions, FileLink, FileSource, PictureLink } from "./file-actions";
import { describeFile, describeMark, type ListedFile } from "./types";

export interface FilesProps {
  files: ListedFile[];
  selection: Selection;
  onDelete: (file: ListedFile) => void;
}

/** One of the listed files. */
export interface FileProps {
  file: ListedFile;
  selection: Selection;
  onDelete: () => void;
}

export const FileTable = ({ files, selection, onDelete }: FilesProps) => (
  <Table label="Files">
    <thead>
      <tr>
        <Th className="w-0 pr-0">
          <span className="sr-only">Select</span>
        </Th>
        <Th>File</Th>
        <Th className="max-md:hidden">Source</Th>
        <Th className="max-lg:hidden">SHA-256</Th>
        <ActionsTh />
      </tr>
    </thead>
    <tbody>
      {files.map((file) => (
        <FileRow key={file.id} file={file} selection={selection} onDelete={() => onDelete(file)} />
      ))}
    </tbody>
  </Table>
);

function FileRow({ file, selection, onDelete }: FileProps) {
  const { url, media_type, size, sha256 } = file;
  const name = describeFile(file, useFormats());
  return (
    <tr className={selection.isSelected(file.id) ? "bg-wash" : "hover:bg-sunken/60"}>
      <Td className="pr-0">
        <SelectRow selection={selection} id={file.id} label={name} />
      </Td>
      <Td className="w-full max-w-0 pl-3 max-sm:pr-0">
        <span className="flex items-center gap-3">
          <PictureLink file={file}>
            <FileThumbnail path={ownPath(url)} mediaType={media_type} size={size} />
          </PictureLink>
          <span className="grid min-w-0 leading-5">
            <FileLink file={file} className="max-sm:line-clamp-2 max-sm:break-all max-sm:whitespace-normal" />
            <FileMeta file={file} />
          </span>
        </span>
      </Td>
      <Td className="text-soft max-md:hidden">
        <FileSource file={file} />
      </Td>
      <Td className="max-lg:hidden">
        <span className="flex items-center gap-1">
          <code className="font-mono text-xs text-soft max-2xl:hidden" title={sha256}>
            {sha256.slice(0, 10)}…
          </code>
          <CopyButton text={`sha256:${sha256}`} label="Copy SHA-256 hash" subject={name} iconOnly />
        </span>
      </Td>
      <Td>
        <FileActions file={file} isCompact={false} onDelete={onDelete} />
      </Td>
    </tr>
  );
}

function FileMeta({ file }: { file: ListedFile }) {
  const { name, media_type, size, expires_at, created_at, mark } = file;
  return (
    <span className="text-xs whitespace-normal text-soft">
      {name !== null && `${media_type} · `}
      <Bytes value={size} />
      <span className="max-md:hidden">
        {" "}
        · added <TimeAgo at={created_at} />
      </span>{" "}
      · expires <Expiry at={expires_at} />
      {mark !== null && ` · ${describeMark(mark)}`}
      {file.generation_id !== null && (
        <span className="md:hidden">
          {" · "}
          <FileSource file={file} />
        </span>
      )}
    </span>
  );
}
