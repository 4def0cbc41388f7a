/** Thrown when an output cannot be downloaded for now; a retry may succeed. */
export class DownloadFailed extends Error {
  override readonly name = "DownloadFailed";
}
