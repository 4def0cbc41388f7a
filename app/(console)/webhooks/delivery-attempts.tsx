import { Badge } from "../../ui/badge";
import { formatDuration } from "../../ui/format-duration";
import { TimeAgo } from "../../ui/time-ago";
import type { Delivery } from "./types";

/** Lists every attempt of a delivery with its response. */
export function DeliveryAttempts({ attempts }: { attempts: Delivery["attempts"] }) {
  if (attempts.length === 0) return <p className="text-sm text-soft">No attempts yet.</p>;
  return (
    <ol aria-label="Attempts" className="grid gap-3">
      {attempts.map(({ started_at, duration_ms, status, response, error }, index) => (
        <li key={index} className="grid gap-1.5 text-sm">
          <span className="flex flex-wrap items-center gap-2">
            <span className="text-soft tabular-nums">{index + 1}.</span>
            {status === null ? (
              <Badge tone="danger">No response</Badge>
            ) : (
              <Badge tone={status < 300 ? "good" : "danger"}>HTTP {status}</Badge>
            )}
            <span className="text-xs text-soft">
              <TimeAgo at={started_at} />, {formatDuration(duration_ms)}
            </span>
          </span>
          {error && <span className="text-danger">{error}</span>}
          {response && (
            <pre
              tabIndex={0}
              aria-label={`Response ${index + 1}`}
              className="max-h-40 overflow-auto rounded-lg border border-line bg-raised p-3 font-mono text-xs break-all whitespace-pre-wrap"
            >
              {response}
            </pre>
          )}
        </li>
      ))}
    </ol>
  );
}
