import type { Outputs } from "../../trpc/outputs";
import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { ProgressBar } from "../../ui/progress-bar";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/values";

type Worker = WorkerList["workers"][number];

export const WorkerTable = ({ workers }: { workers: Worker[] }) => (
  <Table label="All workers">
    <thead>
      <tr>
        <Th>Worker</Th>
        <Th>Status</Th>
        <Th className="max-md:hidden">Your jobs</Th>
        <Th className="max-md:hidden">Models</Th>
        <Th className="max-lg:hidden">Last seen</Th>
      </tr>
    </thead>
    <tbody>
      {workers.map((worker) => (
        <Row key={worker.id} worker={worker} />
      ))}
    </tbody>
  </Table>
);

function Row({ worker }: { worker: Worker }) {
  const { id, name, models, seen_at, is_online } = worker;
  return (
    <tr>
      <Td className="w-full max-w-0 align-top md:w-auto md:max-w-56">
        <span className="block truncate font-medium" title={id || "Runs in the hub’s process"}>
          {name}
        </span>
        <span className="block truncate text-xs text-soft">{id ? id : "Built-in"}</span>
        <div className="mt-2 grid gap-2 md:hidden">
          <Jobs worker={worker} />
          <span className="truncate text-xs text-soft">Serves {models.join(", ")}</span>
        </div>
      </Td>
      <Td className="align-top">
        <State worker={worker} />
      </Td>
      <Td className="align-top max-md:hidden">
        <Jobs worker={worker} />
      </Td>
      <Td className="align-top max-md:hidden">
        <span className="flex max-w-64 flex-wrap gap-1">
          {models.map((model) => (
            <Badge key={model}>{model}</Badge>
          ))}
        </span>
      </Td>
      <Td className="align-top text-soft max-lg:hidden">
        {is_online ? "Now" : seen_at ? <TimeAgo at={seen_at} /> : "—"}
      </Td>
    </tr>
  );
}

function State({ worker: { is_online, is_busy, seen_at } }: { worker: Worker }) {
  if (is_busy) return <Badge tone="accent">Busy</Badge>;
  if (is_online) return <Badge tone="good">Online</Badge>;
  return (
    <span className="grid justify-items-start gap-1">
      <Badge>Offline</Badge>
      {seen_at && (
        <span className="text-xs text-soft lg:hidden">
          <TimeAgo at={seen_at} />
        </span>
      )}
    </span>
  );
}

/** The worker's jobs of this account; other accounts' jobs stay hidden. */
function Jobs({ worker: { name, jobs, is_busy } }: { worker: Worker }) {
  if (jobs.length === 0)
    return <span className="text-sm text-soft">{is_busy ? "Busy with other jobs" : "No jobs"}</span>;
  return (
    <ul aria-label={`Jobs of ${name}`} className="grid min-w-40 gap-2">
      {jobs.map(({ id, model, progress, started_at }) => (
        <li key={id} className="grid gap-1">
          <span className="flex justify-between gap-3">
            <Link href={`/generations/${id}`} className="truncate font-medium text-accent hover:underline">
              {model}
            </Link>
            <span className="text-xs leading-5 text-soft">
              <TimeAgo at={started_at} />
            </span>
          </span>
          <ProgressBar share={progress} label={`Progress of ${model}`} />
        </li>
      ))}
    </ul>
  );
}

/** The connected workers, the models they serve and the account's slots. */
export type WorkerList = Outputs["workers"]["list"];
