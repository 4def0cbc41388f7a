"use client";

import { Upload as UploadIcon } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "../ui/button";

interface Props {
  onFiles: (files: File[]) => void;
  /** What may be dropped here, and how much. */
  children: ReactNode;
  multiple?: boolean;
  verb: string;
}

/** A place to drop files on, with a button for those who would rather choose them. */
export function DropZone({ onFiles, children, multiple, verb }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    onFiles(multiple ? files : files.slice(0, 1));
  };
  const take = () => {
    const files = [...(input.current?.files ?? [])];
    if (files.length === 0) return;
    // The same file may be chosen again.
    input.current!.value = "";
    onFiles(files);
  };
  // What was chosen before the page's script was there.
  const takeEarly = useEffectEvent(take);
  useEffect(() => takeEarly(), []);
  return (
    <div
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-dashed border-strong-line bg-raised px-5 py-4 data-[over=true]:border-accent data-[over=true]:bg-wash"
    >
      <div className="min-w-0 text-sm leading-6 text-soft">{children}</div>
      <input ref={input} type="file" hidden multiple={multiple} onChange={take} />
      <Button onClick={() => input.current?.click()}>
        <UploadIcon size={16} aria-hidden />
        {verb}
      </Button>
    </div>
  );
}
