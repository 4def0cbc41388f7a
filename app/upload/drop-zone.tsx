"use client";

import { Upload as UploadIcon } from "lucide-react";
import { type DragEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "../ui/button";

interface Props {
  onFiles: (files: File[]) => void;
  /** Describes which files are accepted. */
  children: ReactNode;
  multiple?: boolean;
  verb: string;
}

/** Renders a drop target for files, with a button to choose them instead. */
export function DropZone({ onFiles, children, multiple, verb }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    onFiles(multiple ? files : files.slice(0, 1));
  };
  const addChosenFiles = () => {
    const files = [...(input.current?.files ?? [])];
    if (files.length === 0) return;
    // Allows the same file to be chosen again.
    input.current!.value = "";
    onFiles(files);
  };
  // Handles files that were chosen before hydration.
  const addEarlyFiles = useEffectEvent(addChosenFiles);
  useEffect(() => addEarlyFiles(), []);
  return (
    <div
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-dashed border-strong-line bg-raised px-5 py-4 data-[over=true]:border-accent data-[over=true]:bg-wash"
    >
      <div className="min-w-0 text-sm leading-6 text-soft">{children}</div>
      <input ref={input} type="file" hidden multiple={multiple} onChange={addChosenFiles} />
      <Button onClick={() => input.current?.click()}>
        <UploadIcon size={16} aria-hidden />
        {verb}
      </Button>
    </div>
  );
}
