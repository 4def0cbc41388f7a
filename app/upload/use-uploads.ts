"use client";

import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorsOf } from "../ui/errors-of";
import { useFormats } from "../ui/formats-context";

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

/** A stored file, as the upload response describes it. */
export interface StoredFile {
  id: string;
  /** Null if the name that was sent has no usable characters. */
  name: string | null;
  url: string;
  sha256: string;
  size: number;
  media_type: string;
  expires_at: string;
}

/** A rejected upload in the shape of a tRPC error, so that `errorsOf` can read it and an ended session is noticed. */
class UploadError extends Error {
  readonly data: { code?: string; errors?: Record<string, string[]>; httpStatus: number };
  constructor(problem: { code?: string; detail?: string; title?: string } | null, httpStatus: number) {
    super(problem?.detail ?? problem?.title ?? "The upload failed.");
    this.data = { ...problem, httpStatus };
  }
}

/**
 * Uploads a file with the console's session. `onProgress` receives the sent share, 0 to 1. Rejects without `data`
 * when aborted or unreachable.
 */
function uploadFile(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Only XMLHttpRequest reports upload progress.
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/hub/files");
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    request.onload = () => {
      if (request.status === 201) resolve(request.response as StoredFile);
      else reject(new UploadError(request.response as ConstructorParameters<typeof UploadError>[0], request.status));
    };
    request.onerror = () => reject(new Error("unreachable"));
    request.onabort = () => reject(new Error("aborted"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}
