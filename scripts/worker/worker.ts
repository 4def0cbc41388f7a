import { parseArgs } from "node:util";
import { createHubClient, type Job, RejectedError } from "./hub-client";
import { runJob } from "./run-job";

const USAGE = `npm run worker -- --models M[,M…] --exec 'command' [--url http://localhost:3000]

Runs a program once for each job of these models (docs/workers.md).
  HUB_WORKER_TOKEN  a token from: npm run hub -- worker-token create --name N
  HUB_URL           the hub's address; --url overrides it
`;

const { values } = parseArgs({
  options: {
    models: { type: "string" },
    exec: { type: "string" },
    url: { type: "string", default: process.env.HUB_URL ?? "http://localhost:3000" },
    token: { type: "string", default: process.env.HUB_WORKER_TOKEN },
    help: { type: "boolean" },
  },
});
const { models, exec: command, url, token } = values;
if (values.help || !models || !command || !token) {
  process.stderr.write(USAGE);
  process.exit(values.help ? 0 : 1);
}

const log = (line: string) => void process.stderr.write(`${line}\n`);
const sendRequest = createHubClient(url.replace(/\/+$/, ""), token, log);
const stopController = new AbortController();
const returnController = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    if (stopController.signal.aborted) return returnController.abort();
    log("Finishing the current job. A second signal returns it to the queue.");
    stopController.abort();
  });
}

const WAIT_SECONDS = 30;

try {
  log(`Waiting for jobs of ${models} at ${url}`);
  while (!stopController.signal.aborted) {
    const body = { models: models.split(",").map((id) => id.trim()), wait_seconds: WAIT_SECONDS };
    const job = await sendRequest<Job>("claim", { body, signal: stopController.signal });
    if (!job) continue;
    log(`Job ${job.generation.id} started`);
    await runJob({ sendRequest, command, log, returnSignal: returnController.signal }, job);
  }
} catch (error) {
  if (!stopController.signal.aborted) {
    log(error instanceof RejectedError ? `The hub rejected this worker: ${error.message}` : String(error));
    process.exitCode = 1;
  }
}
