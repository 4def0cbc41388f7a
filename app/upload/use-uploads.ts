"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorsOf } from "../ui/errors-of";
import { formatBytes } from "../ui/format-bytes";
import { type StoredFile, uploadFile } from "./upload-file";

export interface Upload {
  id: number;
  name: string;
  size: number;
  /** 0 to 1. */
  share: number;
  error?: string;
  /** Stops it, or takes its fault off the list. */
  dismiss: () => void;
}

let count = 0;

/** Uploads files one after another and tells how each goes; `onStored` is called with each that is there. */
export function useUploads(mostBytes: number, onStored: (file: StoredFile, name: string) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const last = useRef<Promise<void>>(Promise.resolve());
  // A mutation like any other, so that a session that has ended leads to sign in.
  const { mutateAsync } = useMutation({
    mutationFn: ({ file, onProgress, signal }: Sending) => uploadFile(file, onProgress, signal),
  });
  const change = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const remove = (id: number) => setUploads((all) => all.filter((one) => one.id !== id));

  const send = async (id: number, file: File, signal: AbortSignal) => {
    if (signal.aborted) return;
    try {
      const stored = await mutateAsync({ file, signal, onProgress: (share) => change(id, { share }) });
      remove(id);
      onStored(stored, file.name);
    } catch (error) {
      if (!signal.aborted) change(id, { error: errorsOf(error)!.message });
    }
  };
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const id = (count += 1);
      const stop = new AbortController();
      const dismiss = () => {
        stop.abort();
        remove(id);
      };
      const error = file.size > mostBytes ? `This file is over the limit of ${formatBytes(mostBytes)}.` : undefined;
      setUploads((all) => [...all, { id, name: file.name, size: file.size, share: 0, error, dismiss }]);
      if (!error) last.current = last.current.then(() => send(id, file, stop.signal));
    }
  };
  return { uploads, add };
}

interface Sending {
  file: File;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}
