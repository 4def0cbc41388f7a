"use client";

import { Link2, X } from "lucide-react";
import { createContext, useContext, useState } from "react";
import { Button } from "../ui/button";
import { Input } from "../ui/controls";
import { FileThumbnail } from "../ui/file-thumbnail";
import { Field } from "../ui/form";
import { ownPath } from "../ui/own-path";
import { Bytes } from "../ui/values";
import { DropZone } from "../upload/drop-zone";
import { UploadList } from "../upload/upload-list";
import type { StoredFile } from "../upload/use-uploads";
import { labelAndHintOf, type ParameterProps } from "./parameter-props";
import { useFileUrls } from "./use-file-urls";

/** The size limit of an upload, in bytes. */
export const UploadLimit = createContext(0);

/** Edits a list of files. */
export const FilesField = ({ value, onChange, ...props }: ParameterProps) => (
  <FileUrls
    {...props}
    max={props.parameter.schema.maxItems ?? Infinity}
    value={Array.isArray(value) ? value.map(String) : []}
    onChange={(all) => onChange(all.length > 0 ? all : undefined)}
  />
);

/** Edits one file. */
export const FileField = ({ value, onChange, ...props }: ParameterProps) => (
  <FileUrls {...props} max={1} value={typeof value === "string" ? [value] : []} onChange={([url]) => onChange(url)} />
);

interface Props extends Omit<ParameterProps, "value" | "onChange"> {
  /** The maximum number of files. */
  max: number;
  value: string[];
  onChange: (value: string[]) => void;
}

/** Edits files by URL or hash, with an upload area. */
function FileUrls({ parameter, max, value, onChange, error }: Props) {
  const limit = useContext(UploadLimit);
  const [entered, setEntered] = useState("");
  const { uploads, uploading, upload, add, remove, fileOf } = useFileUrls(value, onChange, limit);
  const room = max - value.length - uploading;
  const addEntered = () => {
    if (entered.trim() !== "") add(entered.trim());
    setEntered("");
  };
  // The list grows and moves what is below, so a button being pressed would move away from the pointer.
  const addAfterPointerUp = () => {
    if (document.querySelector("button:active")) addEventListener("pointerup", addEntered, { once: true });
    else addEntered();
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <Field {...labelAndHintOf(parameter)} error={error}>
        {(inputProps) => (
          <Input
            {...inputProps}
            value={entered}
            disabled={room <= 0}
            placeholder={room > 0 ? "https://… or sha256:…" : "No more files can be added"}
            onChange={(event) => setEntered(event.target.value)}
            onBlur={addAfterPointerUp}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              addEntered();
            }}
          />
        )}
      </Field>
      {value.length > 0 && (
        <ul aria-label={parameter.name} className="grid grid-cols-[minmax(0,1fr)] gap-2">
          {value.map((url, index) => (
            <ChosenFile key={`${index} ${url}`} url={url} file={fileOf(url)} onRemove={() => remove(index)} />
          ))}
        </ul>
      )}
      <UploadList uploads={uploads} />
      {room > 0 && (
        <DropZone multiple={max > 1} verb="Upload" onFiles={(files) => upload(files.slice(0, room))}>
          {max > 1 ? "Drop files here" : "Drop a file here"}, up to <Bytes value={limit} />
        </DropZone>
      )}
    </div>
  );
}

interface ChosenFileProps {
  url: string;
  /** Set when the file was uploaded on this page. */
  file: StoredFile | undefined;
  onRemove: () => void;
}

/** Renders a file of an input, with a remove button. */
const ChosenFile = ({ url, file, onRemove }: ChosenFileProps) => (
  <li className="flex items-center gap-3 rounded-lg border border-line bg-raised py-1.5 pr-1.5 pl-2">
    {file ? (
      <FileThumbnail path={ownPath(file.url)} mediaType={file.media_type} size={file.size} />
    ) : (
      <Link2 size={16} aria-hidden className="mx-3 shrink-0 text-soft" />
    )}
    <span className="min-w-0 flex-1 truncate text-sm" title={url}>
      <ChosenName url={url} file={file} />
    </span>
    <Button
      kind="ghost"
      className="px-2"
      aria-label={`Remove ${file?.name ?? file?.media_type ?? url}`}
      onClick={onRemove}
    >
      <X size={16} aria-hidden />
    </Button>
  </li>
);

/** Renders the label of a chosen file: its name and size, or its URL. */
const ChosenName = ({ url, file }: { url: string; file: StoredFile | undefined }) =>
  file ? (
    <>
      {file.name ?? file.media_type}, <Bytes value={file.size} />
    </>
  ) : (
    url
  );
