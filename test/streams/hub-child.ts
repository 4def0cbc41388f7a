import { createServer } from "node:http";
import { createListener } from "../../server/api/listener";
import { composeHub } from "../../server/compose-hub";
import { readEnv } from "../../server/env";
import { followJobs } from "../../server/process/notifications";

// A hub that serves the API without running jobs, in a process that tests kill.
const env = readEnv();
const { hub } = await composeHub(env, env.DATABASE_URL!);
followJobs(hub, env.DATABASE_URL!);
const listener = createListener(hub);
const server = createServer((request, response) => void listener(request, response));
server.listen(env.PORT, "127.0.0.1", () => process.send!("ready"));
process.on("message", (order) => {
  if (order === "collect garbage") gc!();
  const { user, system } = process.cpuUsage();
  process.send!({ processorMs: (user + system) / 1_000, memory: process.memoryUsage.rss() / 1024 / 1024 });
});
process.on("disconnect", () => process.exit(0));
