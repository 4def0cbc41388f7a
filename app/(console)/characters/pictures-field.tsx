"use client";

import { X } from "lucide-react";
import { useState } from "react";
import type { Schema } from "../../parameters/parameter";
import { useFileUrls } from "../../parameters/use-file-urls";
import { Bytes } from "../../ui/values";
import { DropZone } from "../../upload/drop-zone";
import { UploadList } from "../../upload/upload-list";
import { describePicture, Picture, type PictureFile } from "./picture";

interface Props {
  /** The URLs or hashes of the pictures. */
  value: string[];
  /** The schema of the base model's `images`. */
  schema: Schema;
  onChange: (value: string[]) => void;
  error?: string;
  /** The stored files of pictures saved earlier. */
  known: { text: string; file: PictureFile | null }[];
  maxBytes: number;
}

/** Shows a grid of pictures with a drop target. */
export function PicturesField({ value, schema, onChange, error, known, maxBytes }: Props) {
  const { minItems = 1, maxItems = 1_000 } = schema;
  const { uploads, uploading, upload, remove, fileOf } = useFileUrls(value, onChange, maxBytes);
  const [skipped, setSkipped] = useState("");
  const room = maxItems - value.length - uploading;
  const addPictures = (files: File[]) => {
    const pictures = files.filter(({ type }) => type.startsWith("image/"));
    const others = files.length - pictures.length;
    setSkipped(
      others > 0
        ? `${others === 1 ? "1 file was" : `${others} files were`} skipped: only pictures are accepted.`
        : pictures.length > room
          ? `Only ${maxItems} pictures fit: the rest were skipped.`
          : "",
    );
    upload(pictures.slice(0, room));
  };
  return (
    <div className="grid gap-3">
      {room > 0 && (
        <DropZone multiple verb="Choose pictures" onFiles={addPictures}>
          <p className="font-medium text-ink">Drop pictures here</p>
          <p>
            {minItems} to {maxItems}, up to <Bytes value={maxBytes} /> each
          </p>
        </DropZone>
      )}
      {(error ?? skipped) && (
        <p role="alert" className="text-sm text-danger">
          {error ?? skipped}
        </p>
      )}
      <UploadList uploads={uploads} />
      {value.length > 0 && (
        <ul aria-label="Pictures" className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-3">
          {value.map((url, index) => (
            <ChosenPicture
              key={`${index} ${url}`}
              url={url}
              number={index + 1}
              file={fileOf(url) ?? known.find(({ text }) => text === url)?.file ?? null}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

interface ChosenProps {
  url: string;
  /** Its place in the list, from 1. */
  number: number;
  file: PictureFile | null;
  onRemove: () => void;
}

const ChosenPicture = ({ url, number, file, onRemove }: ChosenProps) => (
  <li title={file?.name ?? url} className="relative aspect-square overflow-hidden rounded-lg border border-line">
    <Picture file={file} />
    <button
      type="button"
      aria-label={`Remove ${describePicture(number, file)}`}
      onClick={onRemove}
      className="absolute top-1 right-1 grid size-7 cursor-pointer place-items-center rounded-md border border-line bg-raised text-ink hover:bg-sunken pointer-coarse:size-9"
    >
      <X size={14} aria-hidden />
    </button>
  </li>
);
