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
} as const satisfies Record<string, readonly [Tone, string]>;

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
          {attempts.map(({ route, started_at, ended_at, outcome, upstream_status, cost }) => (
            <tr key={started_at}>
              <Td className="font-mono text-xs max-sm:whitespace-normal">{route}</Td>
              <Td>
                {outcome ? (
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
                {ended_at ? formatDuration(Date.parse(ended_at) - Date.parse(started_at)) : "—"}
              </Td>
              <Td className="text-right max-sm:hidden">{cost === null ? "—" : <Money euros={cost} />}</Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
