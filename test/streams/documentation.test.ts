import { execFile, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { readBlocks } from "../clients/run-program";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { startBalancer } from "../inngest/balancer";
import { reservePort } from "../reserve-port";
import { addGpuModels, newWorker } from "../workers/test-workers";

const host = await openRunningHost();
const page = readFileSync("docs/live.md", "utf8");
const { key } = await newCustomer(host.hub);
addGpuModels(host.hub);

const env = { ...process.env, HUB_URL: host.url, HUB_API_KEY: key };
const start = (command: string, args: string[], own = {}) =>
  promisify(execFile)(command, args, { env: { ...env, ...own } });
const run = async (command: string, args: string[]) => (await start(command, args)).stdout;
const has = async (command: string) => run(command, ["--version"]).then(() => true, () => false); // prettier-ignore
const programs: [language: string, command: string, options: string[]][] = [
  ["ts", "node", ["--input-type=module", "--eval"]],
  ["python", "python3", ["-c"]],
];

test.each(programs)("the programs in %s get results", async (language, command, options) => {
  if (!(await has(command))) return void process.stdout.write(`skipped: no ${command}\n`);
  const blocks = readBlocks(page, language);
  expect(blocks).toHaveLength(2);
  for (const block of blocks) {
    expect(block.split("\n").length).toBeLessThanOrEqual(21);
    expect(await run(command, [...options, block])).toMatch(/^succeeded /m);
  }
});

test.each(programs)(
  "the program in %s skips the log, and continues after the hub was away",
  async (language, command, options) => {
    if (!(await has(command))) return void process.stdout.write(`skipped: no ${command}\n`);
    const port = await reservePort();
    const hubPort = Number(new URL(host.url).port);
    let front = await startBalancer(port, [hubPort]);
    onTestFinished(() => front.close());
    const code = readBlocks(page, language)[1]!.replace("sandbox-image", "gpu-a").replace("prompt", "note");
    const running = start(command, [...options, code], { HUB_URL: `http://127.0.0.1:${port}`, PYTHONUNBUFFERED: "1" });
    onTestFinished(() => void running.child.kill());
    let printed = "";
    running.child.stdout!.on("data", (chunk) => (printed += chunk));
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/^queued /m);
    const { token } = await newWorker(host.hub);
    const send = (path: string, body: object) =>
      callApi(host, "POST", `/api/v1/worker/${path}`, { key: token, body }).then(({ body }) => body);
    const { lease } = (await send("claim", { models: ["gpu-a"] })) as { lease: { id: string; fence: number } };
    const report = (verb: string, body: object) => send(`leases/${lease.id}/${verb}`, { fence: lease.fence, ...body });
    await report("heartbeat", { progress: 0.5, log: ["loaded"] });
    await expect.poll(() => printed).toMatch(/^running 0\.5$/m);
    await front.close();
    await report("complete", { gpu_ms: 1 });
    front = await startBalancer(port, [hubPort]);
    expect((await running).stdout.trim().split("\n").at(-1)).toMatch(/^succeeded /);
  },
);

test("the commands get results", async () => {
  if (!(await has("curl"))) return void process.stdout.write("skipped: no curl\n");
  const [wait, follow] = readBlocks(page, "sh");
  expect(JSON.parse(await run("sh", ["-c", wait!]))).toMatchObject({ status: "succeeded" });
  const following = spawn("sh", ["-c", follow!], { env, detached: true });
  onTestFinished(() => void process.kill(-following.pid!));
  let followed = "";
  following.stdout.on("data", (chunk) => (followed += chunk));
  await expect.poll(async () => (await host.hub.db.query("SELECT FROM account WHERE follows_events")).length).toBe(1);
  await run("sh", ["-c", wait!]);
  await expect.poll(() => followed).toMatch(/^event: generation\ndata: .*"status":"succeeded"/m);
});
