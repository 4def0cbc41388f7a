"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { FolderOpen, ImageIcon, Link2, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTRPC } from "../../trpc/client";
import { useHubMutation } from "../../trpc/use-hub-mutation";
import { useAccess, usePermission } from "../../ui/access-context";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Confirm } from "../../ui/dialog";
import { Filters, FilterSelect } from "../../ui/filter";
import { FilterSearch } from "../../ui/filter-search";
import { useFormats } from "../../ui/formats-context";
import { Link } from "../../ui/link";
import { NotLoaded } from "../../ui/not-loaded";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { Pager, useCursor } from "../../ui/pager";
import { Sample } from "../../ui/sample";
import { Segments } from "../../ui/segments";
import { SelectionBar, useSelection } from "../../ui/selection";
import { useToast } from "../../ui/toasts";
import { useSearch } from "../../ui/use-search";
import { Bytes } from "../../ui/values";
import { DropZone } from "../../upload/drop-zone";
import { UploadList } from "../../upload/upload-list";
import { useUploads } from "../../upload/use-uploads";
import { FileGrid } from "./file-grid";
import { FileTable } from "./file-table";
import { readFilters, sources, types } from "./read-filters";
import { describeFile, type ListedFile } from "./types";

export function Files({ maxBytes, hoursKept }: { maxBytes: number; hoursKept: number }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const toast = useToast();
  const { uploads, add } = useUploads(maxBytes, (_, name) => {
    toast({ text: `Uploaded “${name}”.` });
    void client.invalidateQueries(trpc.files.list.queryFilter());
  });
  const canUpload = usePermission("develop");
  const { canShare } = useAccess();
  return (
    <>
      <PageHeader
        title="Files"
        action={
          canShare && (
            <Button asChild>
              <Link href="/files/links">
                <Link2 size={16} aria-hidden />
                Share links
              </Link>
            </Button>
          )
        }
      >
        Your uploads and outputs. Files are deleted automatically when they expire.
      </PageHeader>
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

const views = [
  { value: "list", label: "List" },
  { value: "grid", label: "Grid" },
] as const;

/** Lists the account's files as a table or a grid, with filters and pagination. */
function FileList() {
  const { read, change, changeAll } = useSearch();
  const filters = readFilters(read);
  const view = read("view") === "grid" ? "grid" : "list";
  const pager = useCursor(JSON.stringify(filters));
  const query = useQuery({
    ...useTRPC().files.list.queryOptions({ ...filters, cursor: pager.cursor }),
    placeholderData: keepPreviousData,
  });
  const files = query.data?.data ?? [];
  const selection = useSelection(files.map(({ id }) => id));
  const selected = files.filter(({ id }) => selection.isSelected(id));
  const list = useRef<HTMLDivElement>(null);
  // The pressed button is removed with its file, so the list receives the focus.
  const { confirmDeletion, dialog } = useDeletion(() => {
    selection.clear();
    list.current?.focus();
  });
  const Files = view === "grid" ? FileGrid : FileTable;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Card
      flush
      title="Stored"
      action={
        <Segments
          label="View"
          options={views}
          value={view}
          onChange={(next) => change("view", next === "grid" ? "grid" : "")}
        />
      }
    >
      <FileFilters {...filters} onChange={change} />
      <div ref={list} tabIndex={-1} role="group" aria-label="Stored files" className="outline-none">
        {files.length > 0 && (
          <>
            <SelectionBar selection={selection} noun="files">
              <DeleteButton onClick={() => confirmDeletion(selected)} />
            </SelectionBar>
            <Files files={files} selection={selection} onDelete={(file) => confirmDeletion([file])} />
          </>
        )}
        {query.data && files.length === 0 && (
          <NoFiles
            isFirst={pager.isFirst}
            onClear={isFiltered ? () => changeAll({ q: "", source: "", type: "" }) : undefined}
          />
        )}
        {!query.data && <NotLoaded what="The list" query={query} />}
      </div>
      <Pager pager={pager} next={query.data?.next_cursor} />
      {dialog}
    </Card>
  );
}

const DeleteButton = ({ onClick }: { onClick: () => void }) => (
  <Button needs="develop" onClick={onClick}>
    <Trash2 size={16} aria-hidden />
    Delete
  </Button>
);

interface NoFilesProps {
  isFirst: boolean;
  /** Clears the filters, if there are any. */
  onClear?: () => void;
}

const sample = (
  <Sample icon={<ImageIcon size={18} />} title="lighthouse.png" detail="image/png, 1.2 MiB · expires in 24 hours" />
);
const action = (
  <Button needs="develop" asChild>
    <Link href="/playground?first">Open the playground</Link>
  </Button>
);

function NoFiles({ isFirst, onClear }: NoFilesProps) {
  const icon = <FolderOpen size={20} />;
  if (onClear) {
    return (
      <Notice heading="h3" title="No matches" icon={icon} action={<Button onClick={onClear}>Clear filters</Button>}>
        No files match these filters.
      </Notice>
    );
  }
  return (
    <Notice heading="h3" title="No files yet" icon={icon} sample={isFirst && sample} action={isFirst && action}>
      {isFirst
        ? "Upload an image and use its URL as an input. Outputs appear here too."
        : "The files on this page have expired."}
    </Notice>
  );
}

type FilterProps = ReturnType<typeof readFilters> & { onChange: (name: string, value: string) => void };

/** Filters the files by name, source and type. */
const FileFilters = ({ q, kind, type, onChange }: FilterProps) => (
  <Filters aria-label="Filters">
    <FilterSearch
      aria-label="Search files by name"
      placeholder="Search by name"
      className="basis-48"
      value={q ?? ""}
      onSearch={(text) => onChange("q", text)}
    />
    <Segments
      label="Source"
      options={sources}
      value={kind ?? "all"}
      onChange={(next) => onChange("source", next === "all" ? "" : next)}
    />
    <FilterSelect
      label="Type"
      value={type ?? ""}
      onChange={(event) => onChange("type", event.target.value)}
      options={types}
    />
  </Filters>
);

/** Returns a function that deletes files after a confirmation, and the dialog that asks for it. */
function useDeletion(onDeleted: () => void) {
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
