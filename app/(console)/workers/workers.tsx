"use client";

import { MAX_WAITING } from "@/server/domain/workers/max-waiting";
import { useQuery } from "@tanstack/react-query";
import { Cpu } from "lucide-react";
import { useTRPC } from "../../trpc/client";
import { pollUnlessQuiet } from "../../trpc/quiet-page";
import type { Outputs } from "../../trpc/outputs";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { CopyButton } from "../../ui/copy-button";
import { errorsOf } from "../../ui/errors-of";
import { Link } from "../../ui/link";
import { Notice } from "../../ui/notice";
import { PageHeader } from "../../ui/page-header";
import { ProgressBar } from "../../ui/progress-bar";
import { Table, Td, Th } from "../../ui/table";
import { Count, TimeAgo } from "../../ui/values";

const POLL_INTERVAL_MS = 3_000;

/** Shows the connected workers and their jobs of this account. */
export function Workers({ base }: { base: string }) {
  const { data, error, refetch } = useQuery({
    ...useTRPC().workers.list.queryOptions(),
    // Workers come and go, so the page polls while it is visible.
    refetchInterval: () => pollUnlessQuiet(POLL_INTERVAL_MS),
    refetchOnWindowFocus: "always",
  });
  if (!data) {
    return (
      <Notice
        title="The workers could not be loaded"
        action={<Button onClick={() => void refetch()}>Try again</Button>}
      >
        {errorsOf(error)?.message}
      </Notice>
    );
  }
  const { workers, models, slots } = data;
  const online = workers.filter(({ is_online }) => is_online).length;
  return (
    <>
      <PageHeader title="Workers">GPU workers connected to this hub and their current jobs.</PageHeader>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
        <Card
          flush
          title="Workers"
          action={
            <span role="status" className="text-sm text-soft tabular-nums">
              {online} online · {slots.used} of {slots.max} slots in use
            </span>
          }
        >
          {workers.length > 0 ? (
            <WorkerTable workers={workers} />
          ) : (
            <Notice heading="h3" title="No workers online" icon={<Cpu size={20} />}>
              Jobs wait until a worker is online. Follow the steps below to start one.
            </Notice>
          )}
        </Card>
        {models.length > 0 && <ServedModels models={models} />}
        <StartWorker base={base} model={models[0]?.id ?? "my-model"} />
      </div>
    </>
  );
}

/** Shows how to start a worker: create a token, then run the program. */
function StartWorker({ base, model }: { base: string; model: string }) {
  const steps = [
    {
      title: "On the hub’s machine, an operator creates a token. It is shown only once.",
      code: "npm run hub -- worker-token create --name gpu-1",
    },
    {
      title: "Run any program on the GPU machine as a worker. No open port needed.",
      code: `export HUB_URL=${base}\nexport HUB_WORKER_TOKEN=service_wk_…\nnpm run worker -- --models ${model} --exec 'python3 train.py'`,
    },
  ];
  return (
    <Card title="Start a worker">
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-5">
        {steps.map(({ title, code }, index) => (
          <li key={title} className="grid grid-cols-[minmax(0,1fr)] gap-2 text-sm">
            <span>
              <span className="text-soft tabular-nums">{index + 1}.</span> {title}
            </span>
            <div className="flex items-start gap-2 rounded-lg bg-sunken p-1.5 pl-4">
              <pre
                tabIndex={0}
                aria-label={`Step ${index + 1}`}
                className="min-w-0 flex-1 overflow-x-auto py-2 font-mono text-xs leading-5"
              >
                {code}
              </pre>
              <CopyButton text={code} label={`Copy step ${index + 1}`} iconOnly />
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-4 text-sm leading-6 text-soft">
        The program reads its job from stdin and reports progress on stdout. The repository also has a complete worker
        in Python: <code className="font-mono text-xs">examples/worker.py</code>
      </p>
    </Card>
  );
}

/** Lists the models that workers serve, with this account's running and waiting jobs. */
const ServedModels = ({ models }: { models: WorkerList["models"] }) => (
  <Card flush title="Models on workers">
    <Table label="Served models">
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Workers</Th>
          <Th className="text-right max-sm:hidden">Running</Th>
          <Th className="text-right">Waiting</Th>
        </tr>
      </thead>
      <tbody>
        {models.map(({ id, online, running, waiting }) => (
          <tr key={id}>
            <Td className="w-full max-w-0">
              <Link href={`/models/${encodeURIComponent(id)}`} className="block truncate font-medium hover:underline">
                {id}
              </Link>
            </Td>
            <Td>
              {online > 0 ? (
                <Badge tone="good">{online} online</Badge>
              ) : (
                <Badge tone={waiting > 0 ? "warning" : "neutral"}>None</Badge>
              )}
            </Td>
            <Td className="text-right tabular-nums max-sm:hidden">{running}</Td>
            <Td className="text-right tabular-nums">
              <Count value={waiting} />
              {waiting === MAX_WAITING && "+"}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  </Card>
);

type Worker = WorkerList["workers"][number];

const WorkerTable = ({ workers }: { workers: Worker[] }) => (
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
type WorkerList = Outputs["workers"]["list"];
