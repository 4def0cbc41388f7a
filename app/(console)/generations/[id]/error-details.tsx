import { FileHashes } from "../../../ui/file-hashes";
import { Link } from "../../../ui/link";
import { TimeUntil } from "../../../ui/values";
import { describeFailure } from "../describe-failure";
import type { GenerationDetail } from "../types";

/** Shows why a generation failed, what to do, and its missing input files. */
export const ErrorDetails = ({ generation }: { generation: GenerationDetail }) => (
  <>
    <FailureDetails generation={generation} />
    <MissingFiles generation={generation} />
  </>
);

function FailureDetails({ generation: { error, attempts, billed_cost } }: { generation: GenerationDetail }) {
  if (!error) return null;
  const { title, advice, message } = describeFailure(error, attempts);
  return (
    <section
      className="grid gap-1 rounded-xl border border-danger bg-danger-wash p-5 text-sm leading-6 text-danger"
      aria-label="Error"
    >
      <h2 className="font-semibold">{title}</h2>
      {message && <p className="wrap-anywhere">{message}</p>}
      <p>
        {!billed_cost && "You were not charged."} {advice}
      </p>
      <p>
        <code className="font-mono text-xs">{error.code}</code>
        {" · "}
        <Link
          href={`/docs/hub/errors#failed-${error.code}`}
          target="_blank"
          className="underline"
          aria-label={`Learn more about ${error.code}`}
        >
          Learn more
        </Link>
      </p>
    </section>
  );
}

function MissingFiles({ generation: { missing, status, deadline_at } }: { generation: GenerationDetail }) {
  if (missing.length === 0) return null;
  const isWaiting = status === "awaiting_supply";
  return (
    <section
      className="rounded-xl border border-warning bg-warning-wash p-5 text-sm text-warning"
      aria-label="Missing files"
    >
      <h2 className="font-semibold">{isWaiting ? "Waiting for input files" : "Input files were missing"}</h2>
      {isWaiting && (
        <p className="mt-1">
          Upload the files with these SHA-256 hashes and it continues automatically
          {deadline_at && (
            <>
              {" "}
              (expires <TimeUntil at={deadline_at} />)
            </>
          )}
          .
        </p>
      )}
      <div className="mt-2">
        <FileHashes files={missing} />
      </div>
    </section>
  );
}
