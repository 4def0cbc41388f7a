import { Badge } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { useFormats } from "../../../ui/formats-context";
import { Money } from "../../../ui/money";
import { Table, Td, Th } from "../../../ui/table";
import { TimeAgo } from "../../../ui/values";
import { type AttemptRow, describeAttempt, describeReason } from "../describe-attempt";

/** Lists every attempt at a provider route, and the skipped routes; without routes and costs if the operator hides them. */
export function Attempts({ generation: { attempts } }: { generation: { attempts: AttemptRow[] } }) {
  if (attempts.length === 0) return null;
  const isHidden = attempts.every(({ route }) => route === null);
  return (
    <Card flush title="Attempts">
      <Table label="Provider attempts">
        <thead>
          <tr>
            {!isHidden && <Th>Route</Th>}
            <Th>Outcome</Th>
            <Th className="max-sm:hidden">Started</Th>
            {!isHidden && <Th className="text-right max-sm:hidden">Provider cost</Th>}
          </tr>
        </thead>
        <tbody>
          {attempts.map((attempt) => (
            <AttemptLine key={attempt.id} attempt={attempt} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

const LateReport = ({ attempt: { late_report_at } }: { attempt: AttemptRow }) =>
  late_report_at && (
    <span className="mt-1 block min-w-36 text-xs text-soft">
      Its result arrived <TimeAgo at={late_report_at} /> and was not delivered.
    </span>
  );

function AttemptLine({ attempt }: { attempt: AttemptRow }) {
  const { route, started_at, ended_at, outcome, upstream_status, cost } = attempt;
  const { tone, word, note } = describeAttempt(attempt);
  const reason = describeReason(attempt);
  const formats = useFormats();
  const wasTried = outcome !== "skipped";
  const duration = wasTried && ended_at ? formats.duration(Date.parse(ended_at) - Date.parse(started_at)) : null;
  return (
    <tr>
      {route !== null && (
        <Td className="min-w-40 text-xs whitespace-normal sm:min-w-48">
          <span className="font-mono wrap-anywhere">{route}</span>
          {reason && <span className="mt-1 block text-soft">{reason}</span>}
        </Td>
      )}
      <Td className="w-full whitespace-normal">
        <Badge tone={tone}>{word}</Badge>
        {upstream_status && <span className="ml-2 text-xs whitespace-nowrap text-soft">HTTP {upstream_status}</span>}
        <LateReport attempt={attempt} />
        {note && <span className="mt-1 block min-w-36 text-xs text-soft">{note}</span>}
        {duration && <span className="mt-1 block text-xs text-soft tabular-nums sm:hidden">{duration}</span>}
      </Td>
      <Td className="text-soft max-sm:hidden">
        {wasTried ? <TimeAgo at={started_at} /> : "—"}
        {duration && <span className="mt-1 block text-xs tabular-nums">{duration}</span>}
      </Td>
      {route !== null && <Td className="text-right max-sm:hidden">{cost === null ? "—" : <Money euros={cost} />}</Td>}
    </tr>
  );
}
