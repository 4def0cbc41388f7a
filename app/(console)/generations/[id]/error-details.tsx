import { FileHashes } from "../../../ui/file-hashes";
import { TimeAgo } from "../../../ui/time-ago";
import type { GenerationDetail } from "../types";

/** Shows the error of a generation and its missing input files. */
export function ErrorDetails({
  generation: { error, missing, status, deadline_at },
}: {
  generation: GenerationDetail;
}) {
  return (
    <>
      {error && (
        <section className="rounded-xl border border-danger bg-danger-wash p-5 text-sm text-danger" aria-label="Error">
          <h2 className="font-semibold">{error.message}</h2>
          <p className="mt-1">
            <code className="font-mono">{error.code}</code>
            {error.retryable ? " · Retrying later may help" : " · Retrying with the same input won’t help"}
          </p>
        </section>
      )}
      {missing.length > 0 && (
        <section
          className="rounded-xl border border-warning bg-warning-wash p-5 text-sm text-warning"
          aria-label="Missing files"
        >
          <h2 className="font-semibold">
            {status === "awaiting_supply" ? "Waiting for input files" : "Input files were missing"}
          </h2>
          {status === "awaiting_supply" && (
            <p className="mt-1">
              Upload the files with these SHA-256 hashes and it continues automatically
              {deadline_at && (
                <>
                  {" "}
                  (expires <TimeAgo at={deadline_at} />)
                </>
              )}
              .
            </p>
          )}
          <div className="mt-2">
            <FileHashes files={missing} />
          </div>
        </section>
      )}
    </>
  );
}
