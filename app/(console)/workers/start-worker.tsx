import { Card } from "../../ui/card";
import { CopyButton } from "../../ui/copy-button";

/** Shows how to start a worker: create a token, then run the program. */
export function StartWorker({ base, model }: { base: string; model: string }) {
  const steps = [
    {
      title: "On the hub’s machine, an administrator creates a token. It is shown only once.",
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
