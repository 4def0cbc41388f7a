import { parseArgs } from "node:util";
import { createHubClient, type Job, Refused } from "./hub-client";
import { runJob } from "./run-job";

const USAGE = `npm run worker -- --models M[,M…] --exec 'command' [--url http://localhost:3000]

Runs any program as a worker of a hub (docs/workers.md).
  HUB_WORKER_TOKEN  from: npm run hub -- worker-token create --name N
  HUB_URL           the hub's address, unless --url is given
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

const say = (line: string) => void process.stderr.write(`${line}\n`);
const ask = createHubClient(url.replace(/\/+$/, ""), token, say);
const leave = new AbortController();
const handBack = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    if (leave.signal.aborted) return handBack.abort();
    say("finishing what is under way; another signal hands it back");
    leave.abort();
  });
}

const WAIT_SECONDS = 30;

try {
  say(`waiting for ${models} at ${url}`);
  while (!leave.signal.aborted) {
    const body = { models: models.split(",").map((id) => id.trim()), wait_seconds: WAIT_SECONDS };
    const job = await ask<Job>("claim", { body, signal: leave.signal });
    if (!job) continue;
    say(`${job.generation.id} begins`);
    await runJob({ ask, command, say, handBack: handBack.signal }, job);
  }
} catch (error) {
  if (!leave.signal.aborted) {
    say(error instanceof Refused ? `The hub refuses this worker: ${error.message}` : String(error));
    process.exitCode = 1;
  }
}
