/** A stored file, as the hub answers an upload. */
export interface StoredFile {
  id: string;
  url: string;
  sha256: string;
  size: number;
  media_type: string;
  expires_at: string;
}

/** A refusal in the form in which the console's other calls fail, so that `errorsOf` reads it and a lost session is noticed. */
class UploadRefused extends Error {
  readonly data: { code?: string; errors?: Record<string, string[]>; httpStatus: number };
  constructor(problem: { code?: string; detail?: string; title?: string } | null, httpStatus: number) {
    super(problem?.detail ?? problem?.title ?? "The upload failed.");
    this.data = { ...problem, httpStatus };
  }
}

/**
 * Uploads a file with the console's session. `onProgress` is told the share that was sent, 0 to 1. Aborted or
 * unreachable it fails without `data`.
 */
export function uploadFile(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Only this request tells how much of its body was sent.
    const request = new XMLHttpRequest();
    request.open("POST", "/api/v1/hub/files");
    request.setRequestHeader("X-Requested-With", "XMLHttpRequest");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
    request.onload = () => {
      if (request.status === 201) resolve(request.response as StoredFile);
      else
        reject(new UploadRefused(request.response as ConstructorParameters<typeof UploadRefused>[0], request.status));
    };
    request.onerror = () => reject(new Error("unreachable"));
    request.onabort = () => reject(new Error("aborted"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}
