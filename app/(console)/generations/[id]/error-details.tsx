import { Digests } from "../../../ui/digests";
import { TimeAgo } from "../../../ui/time-ago";
import type { Detail } from "./generation";

/** Why it failed, and what it waits for or lacked. */
export function ErrorDetails({ of: { error, missing, status, deadline_at } }: { of: Detail }) {
  return (
    <>
      {error && (
        <section className="rounded-xl border border-danger bg-danger-wash p-5 text-sm text-danger" aria-label="Error">
          <h2 className="font-semibold">{error.message}</h2>
          <p className="mt-1">
            <code className="font-mono">{error.code}</code>
            {error.retryable ? " · the same request may succeed later" : " · the same request would fail again"}
          </p>
        </section>
      )}
      {missing.length > 0 && (
        <section
          className="rounded-xl border border-warning bg-warning-wash p-5 text-sm text-warning"
          aria-label="Missing files"
        >
          <h2 className="font-semibold">
            {status === "awaiting_supply" ? "It waits for files of yours" : "It lacked files of yours"}
          </h2>
          {status === "awaiting_supply" && (
            <p className="mt-1">
              Upload what has these digests, and it goes on by itself
              {deadline_at && (
                <>
                  {" "}
                  (it gives up <TimeAgo at={deadline_at} />)
                </>
              )}
              .
            </p>
          )}
          <div className="mt-2">
            <Digests of={missing} />
          </div>
        </section>
      )}
    </>
  );
}
