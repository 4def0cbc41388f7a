"use client";

import { X } from "lucide-react";
import { useState } from "react";
import type { Schema } from "../../parameters/parameter";
import { useAddresses } from "../../parameters/use-addresses";
import { formatBytes } from "../../ui/format-bytes";
import { DropZone } from "../../upload/drop-zone";
import { UploadList } from "../../upload/upload-list";
import { Picture, type PictureFile } from "./picture";

interface Props {
  /** Addresses. */
  value: string[];
  /** What the base model says of its `images`. */
  schema: Schema;
  onChange: (value: string[]) => void;
  error?: string;
  /** The files behind addresses that were there before. */
  known: { text: string; file: PictureFile | null }[];
  mostBytes: number;
}

/** Pictures of one subject, dropped or chosen, as a grid. */
export function PicturesField({ value, schema, onChange, error, known, mostBytes }: Props) {
  const { minItems = 1, maxItems = 1_000 } = schema;
  const { uploads, upload, remove, fileOf } = useAddresses(value, onChange, mostBytes);
  const [refused, setRefused] = useState("");
  const room = maxItems - value.length - uploads.length;
  const take = (files: File[]) => {
    const pictures = files.filter(({ type }) => type.startsWith("image/"));
    const others = files.length - pictures.length;
    setRefused(
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
        <DropZone multiple verb="Choose pictures" onFiles={take}>
          <p className="font-medium text-ink">Drop pictures here</p>
          <p>
            {minItems} to {maxItems}, up to {formatBytes(mostBytes)} each
          </p>
        </DropZone>
      )}
      {(error ?? refused) && (
        <p role="alert" className="text-sm text-danger">
          {error ?? refused}
        </p>
      )}
      <UploadList uploads={uploads} />
      {value.length > 0 && (
        <ul aria-label="Pictures" className="grid grid-cols-[repeat(auto-fill,minmax(6rem,1fr))] gap-3">
          {value.map((address, index) => (
            <li
              key={`${index} ${address}`}
              title={address}
              className="relative aspect-square overflow-hidden rounded-lg border border-line"
            >
              <Picture file={fileOf(address) ?? known.find(({ text }) => text === address)?.file ?? null} />
              <button
                type="button"
                aria-label={`Remove picture ${index + 1}`}
                onClick={() => remove(index)}
                className="absolute top-1 right-1 grid size-7 cursor-pointer place-items-center rounded-md border border-line bg-raised text-ink hover:bg-sunken pointer-coarse:size-9"
              >
                <X size={14} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
