import { Badge, type Tone } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import { Table, Td, Th } from "../../../ui/table";
import { formatDuration } from "../../../ui/number-formats";
import { TimeAgo } from "../../../ui/time-ago";
import type { GenerationDetail } from "../types";

const outcomes = {
  succeeded: ["good", "Succeeded"],
  failed: ["danger", "Failed"],
  refused: ["warning", "Rejected"],
  canceled: ["neutral", "Canceled"],
  lost: ["warning", "Lost"],
  skipped: ["neutral", "Skipped"],
} as const satisfies Record<string, readonly [Tone, string]>;

const skipReasons = {
  cannot_express: "route does not support this input",
  cooling_down: "route failed recently",
  at_capacity: "provider at capacity",
  over_budget: "provider's daily spend limit reached",
  missing_key: "provider has no key",
};

/** Lists every attempt at a provider route. */
export function Attempts({ generation: { attempts } }: { generation: GenerationDetail }) {
  if (attempts.length === 0) return null;
  return (
    <Card flush title="Attempts">
      <Table label="Provider attempts">
        <thead>
          <tr>
            <Th>Route</Th>
            <Th>Outcome</Th>
            <Th className="max-sm:hidden">Started</Th>
            <Th className="text-right">Duration</Th>
            <Th className="text-right max-sm:hidden">Provider cost</Th>
          </tr>
        </thead>
        <tbody>
          {attempts.map(({ id, route, started_at, ended_at, outcome, skipped, upstream_status, cost }) => (
            <tr key={id}>
              <Td className="font-mono text-xs max-sm:whitespace-normal">{route}</Td>
              <Td>
                {skipped ? (
                  <span className="text-soft">Skipped: {skipReasons[skipped]}</span>
                ) : outcome ? (
                  <Badge tone={outcomes[outcome][0]}>{outcomes[outcome][1]}</Badge>
                ) : (
                  <Badge tone="accent">Running</Badge>
                )}
                {upstream_status && <span className="ml-2 text-xs text-soft">HTTP {upstream_status}</span>}
              </Td>
              <Td className="text-soft max-sm:hidden">
                <TimeAgo at={started_at} />
              </Td>
              <Td className="text-right tabular-nums">
                {ended_at && !skipped ? formatDuration(Date.parse(ended_at) - Date.parse(started_at)) : "—"}
              </Td>
              <Td className="text-right max-sm:hidden">{cost === null ? "—" : <Money euros={cost} />}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
