"use client";

import { createContext, useContext, useState } from "react";
import { Input } from "../ui/controls";
import { Field } from "../ui/field";
import { formatBytes } from "../ui/format-bytes";
import { DropZone } from "../upload/drop-zone";
import { UploadList } from "../upload/upload-list";
import { ChosenFile } from "./chosen-file";
import { type ParameterProps, wordsOf } from "./parameter-props";
import { useAddresses } from "./use-addresses";

/** Most bytes of an upload here. */
export const UploadLimit = createContext(0);

/** A list of files. */
export const FilesField = ({ value, onChange, ...props }: ParameterProps) => (
  <Addresses
    {...props}
    most={props.parameter.schema.maxItems ?? Infinity}
    value={Array.isArray(value) ? value.map(String) : []}
    onChange={(all) => onChange(all.length > 0 ? all : undefined)}
  />
);

/** One file. */
export const FileField = ({ value, onChange, ...props }: ParameterProps) => (
  <Addresses
    {...props}
    most={1}
    value={typeof value === "string" ? [value] : []}
    onChange={([address]) => onChange(address)}
  />
);

interface Props extends Omit<ParameterProps, "value" | "onChange"> {
  /** How many files it takes. */
  most: number;
  value: string[];
  onChange: (value: string[]) => void;
}

/** Files by their address: uploaded here, or anywhere on the internet. */
function Addresses({ parameter, most, value, onChange, error }: Props) {
  const limit = useContext(UploadLimit);
  const [entered, setEntered] = useState("");
  const { uploads, upload, add, remove, fileOf } = useAddresses(value, onChange, limit);
  const room = most - value.length - uploads.length;
  const addEntered = () => {
    if (entered.trim() !== "") add(entered.trim());
    setEntered("");
  };
  // The list grows, and moves what is below: a button that is being pressed would slip away from under the pointer.
  const addOnceReleased = () => {
    if (document.querySelector("button:active")) addEventListener("pointerup", addEntered, { once: true });
    else addEntered();
  };
  return (
    <div className="grid gap-2">
      <Field {...wordsOf(parameter)} error={error}>
        {(given) => (
          <Input
            {...given}
            value={entered}
            disabled={room <= 0}
            placeholder={room > 0 ? "https://… or sha256:…" : "No more files can be added"}
            onChange={(event) => setEntered(event.target.value)}
            onBlur={addOnceReleased}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              addEntered();
            }}
          />
        )}
      </Field>
      {value.length > 0 && (
        <ul aria-label={parameter.name} className="grid gap-2">
          {value.map((url, index) => (
            <ChosenFile key={`${index} ${url}`} url={url} file={fileOf(url)} onRemove={() => remove(index)} />
          ))}
        </ul>
      )}
      <UploadList uploads={uploads} />
      {room > 0 && (
        <DropZone multiple={most > 1} verb="Upload" onFiles={(files) => upload(files.slice(0, room))}>
          {most > 1 ? "Drop files here" : "Drop a file here"}, up to {formatBytes(limit)}
        </DropZone>
      )}
    </div>
  );
}
