"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorsOf } from "../ui/errors-of";
import { useFormats } from "../ui/formats-context";
import { type StoredFile, uploadFile } from "./upload-file";

export interface Upload {
  id: number;
  name: string;
  size: number;
  /** 0 to 1. */
  share: number;
  error?: string;
  /** Cancels the upload, or removes its error from the list. */
  dismiss: () => void;
}

let count = 0;

/** Uploads files one after another and tracks their progress; `onStored` runs for each stored file. */
export function useUploads(maxBytes: number, onStored: (file: StoredFile, name: string) => void) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const last = useRef<Promise<void>>(Promise.resolve());
  const { bytes } = useFormats();
  // A mutation, so that an ended session redirects to sign in.
  const { mutateAsync } = useMutation({
    mutationFn: ({ file, onProgress, signal }: UploadRequest) => uploadFile(file, onProgress, signal),
  });
  const updateUpload = (id: number, part: Partial<Upload>) =>
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const removeUpload = (id: number) => setUploads((all) => all.filter((one) => one.id !== id));

  const send = async (id: number, file: File, signal: AbortSignal) => {
    if (signal.aborted) return;
    try {
      const stored = await mutateAsync({ file, signal, onProgress: (share) => updateUpload(id, { share }) });
      removeUpload(id);
      onStored(stored, file.name);
    } catch (error) {
      if (!signal.aborted) updateUpload(id, { error: errorsOf(error)!.message });
    }
  };
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const id = (count += 1);
      const controller = new AbortController();
      const dismiss = () => {
        controller.abort();
        removeUpload(id);
      };
      const error = file.size > maxBytes ? `This file is over the limit of ${bytes(maxBytes)}.` : undefined;
      setUploads((all) => [...all, { id, name: file.name, size: file.size, share: 0, error, dismiss }]);
      if (!error) last.current = last.current.then(() => send(id, file, controller.signal));
    }
  };
  return { uploads, add };
}

interface UploadRequest {
  file: File;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}
