import { Badge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { Money } from "../../../ui/money";
import { useFormats } from "../../../ui/formats-context";
import { Table, Td, Th } from "../../../ui/table";
import { TimeAgo } from "../../../ui/time-ago";
import { type AttemptRow, describeAttempt } from "../describe-attempt";

/** Lists every attempt at a provider route, and the routes that were passed over. */
export function Attempts({ generation: { attempts } }: { generation: { attempts: AttemptRow[] } }) {
  if (attempts.length === 0) return null;
  return (
    <Card flush title="Attempts">
      <Table label="Provider attempts">
        <thead>
          <tr>
            <Th>Route</Th>
            <Th>Outcome</Th>
            <Th className="max-sm:hidden">Started</Th>
            <Th className="text-right max-sm:hidden">Duration</Th>
            <Th className="text-right max-sm:hidden">Provider cost</Th>
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <Row key={attempt.id} attempt={attempt} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

function Row({ attempt }: { attempt: AttemptRow }) {
  const { route, started_at, ended_at, outcome, upstream_status, cost } = attempt;
  const { tone, word, note } = describeAttempt(attempt);
  const formats = useFormats();
  const wasTried = outcome !== "skipped";
  const duration = wasTried && ended_at ? formats.duration(Date.parse(ended_at) - Date.parse(started_at)) : null;
  return (
    <tr>
      <Td className="font-mono text-xs break-all max-sm:whitespace-normal">{route}</Td>
      <Td className="max-sm:whitespace-normal">
        <Badge tone={tone}>{word}</Badge>
        {upstream_status && <span className="ml-2 text-xs whitespace-nowrap text-soft">HTTP {upstream_status}</span>}
        {note && <span className="mt-1 block text-xs whitespace-normal text-soft">{note}</span>}
        {duration && <span className="mt-1 block text-xs text-soft tabular-nums sm:hidden">{duration}</span>}
      </Td>
      <Td className="text-soft max-sm:hidden">{wasTried ? <TimeAgo at={started_at} /> : "—"}</Td>
      <Td className="text-right tabular-nums max-sm:hidden">{duration ?? "—"}</Td>
      <Td className="text-right max-sm:hidden">{cost === null ? "—" : <Money euros={cost} />}</Td>
    </tr>
  );
}
