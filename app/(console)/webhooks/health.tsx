import { Badge } from "../../ui/badge";
import { useFormats } from "../../ui/formats-context";
import { TimeAgo } from "../../ui/values";
import type { Endpoint, Health } from "./types";

type Hour = Health["hours"][number];

interface Props {
  endpoint: Endpoint;
  health: Health | undefined;
}

/** Shows whether an endpoint accepts deliveries, by its latest attempt. */
export function EndpointState({ endpoint: { status, last_error }, health }: Props) {
  if (status === "revoked") return <Badge tone="danger">Revoked</Badge>;
  if (health?.failing) {
    const { status: code, at } = health.failing;
    return (
      <Badge tone="warning">
        <span>
          Failing: {code === null ? "no response" : `HTTP ${code}`}, <TimeAgo at={at} />
        </span>
      </Badge>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-1">
      <Badge tone="good">Active</Badge>
      {last_error && (
        <span title={last_error.message}>
          <Badge>
            <span>
              Last failure <TimeAgo at={last_error.at} />
            </span>
          </Badge>
        </span>
      )}
    </span>
  );
}

/** Draws the last 24 hours of an endpoint, one bar an hour: good, partly failed, failed, or low where nothing was sent. */
export function HealthStrip({ hours }: { hours: Hour[] }) {
  const { dateTime } = useFormats();
  const failed = hours.filter((hour) => hour.failed > 0).length;
  return (
    <span role="img" aria-label={describeStrip(hours, failed)} className="flex h-6 items-end gap-px">
      {hours.map((hour) => (
        <span
          key={hour.at}
          title={`${dateTime(hour.at)}: ${describeHour(hour)}`}
          className={`w-1.5 rounded-xs forced-color-adjust-none ${colorOf(hour)}`}
        />
      ))}
    </span>
  );
}

function describeStrip(hours: Hour[], failed: number): string {
  if (hours.every(({ attempts }) => attempts === 0)) return "Nothing sent in the last 24 hours";
  return failed === 0 ? "No failures in the last 24 hours" : `Failures in ${failed} of the last 24 hours`;
}

function describeHour({ attempts, failed }: Hour): string {
  if (attempts === 0) return "nothing sent";
  return failed === 0 ? "all attempts succeeded" : `${failed} of the newest ${attempts} attempts failed`;
}

function colorOf({ attempts, failed }: Hour): string {
  if (attempts === 0) return "h-1 bg-line";
  if (failed === 0) return "h-full bg-good";
  return failed < attempts ? "h-full bg-warning" : "h-full bg-danger";
}
