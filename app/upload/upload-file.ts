/** A stored file, as the upload response describes it. */
export interface StoredFile {
  id: string;
  /** Null if nothing is left of the name that was sent. */
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
export function uploadFile(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<StoredFile> {
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
