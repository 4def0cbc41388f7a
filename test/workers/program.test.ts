import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createListener } from "../../server/api/listener";
import { runAudit } from "../../server/domain/audit/audit";
import { reservePort } from "../reserve-port";
import { followJobs } from "../../server/process/notifications";
import { bundleProgram } from "../bundle-program";
import { callApi } from "../api/call";
import { type Customer, newCustomer } from "../api/customer";
import type { Host } from "../api/hosts";
import { runOrThrow } from "../clients/run-program";
import { type Answer, startScriptedServer } from "../clients/scripted-server";
import { testHub } from "../hub";
import { listenOnLoopback } from "../loopback";
import { addGpuModels, newWorker } from "./test-workers";

const hub = await testHub({ BASE_URL: "https://hub.test", RATE_LIMIT_READS_PER_MINUTE: "1000000" });
addGpuModels(hub);
const JOBS = "/api/v1/hub/generations";

let server: Server;
const port = await reservePort();
const open = () => {
  const listener = createListener(hub);
  server = createServer((request, response) => void listener(request, response));
  return listenOnLoopback(server, port);
};
const close = async () => {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
};

await open();
const host: Host = { name: "own server", url: `http://127.0.0.1:${port}`, hub };
const stopFollowing = followJobs(hub, hub.databaseUrl);
const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await stopFollowing();
  await close();
});

let customer: Customer;
let token: string;
beforeAll(async () => {
  customer = await newCustomer(hub, { credit: 1_000 });
  ({ token } = await newWorker(hub));
});

const queue = async (model = "gpu-a", note = "x") => {
  const body = { model, input: { note } };
  return (await callApi(host, "POST", JOBS, { key: customer.key, body })).body.id as string;
};
const read = async (id: string) => (await callApi(host, "GET", `${JOBS}/${id}`, { key: customer.key })).body;
const waitForGeneration = async (id: string, wanted: object) =>
  expect.poll(() => read(id), { timeout: 25_000, interval: 50 }).toMatchObject(wanted);
const textOf = async (url: string) =>
  (await callApi(host, "GET", new URL(url).pathname, { key: customer.key })).bytes.toString();

function start(command: string[], extra: Record<string, string> = {}): ChildProcess {
  const [file, ...values] = command;
  const env = { PATH: process.env.PATH!, HUB_URL: host.url, HUB_WORKER_TOKEN: token, ...extra };
  const child = spawn(file!, values, { env: env as unknown as NodeJS.ProcessEnv, stdio: "ignore" });
  children.add(child);
  return child;
}
const program = await bundleProgram("scripts/worker/worker.ts");
/** Runs these lines of JavaScript as the worker's program; `job` is the job. */
const startWorker = (code: string, model = "gpu-a") => {
  const body = `const fs = require("node:fs"); const job = JSON.parse(fs.readFileSync(0)); const out = process.env.HUB_OUTPUT_DIR + "/";
    const say = (report) => console.log(JSON.stringify(report)); ${code}`;
  const exec = 'node -e "$PROGRAM"';
  return start([process.execPath, program, "--models", model, "--exec", exec], { PROGRAM: body });
};
const waitForExit = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once("exit", resolve));
async function stopWorker(child: ChildProcess): Promise<void> {
  const exited = waitForExit(child);
  child.kill("SIGTERM");
  await exited;
}

describe("npm run worker", () => {
  test("passes the job to the program, reports its progress, and uploads its outputs", async () => {
    const id = await queue("gpu-a", "hello");
    const child = startWorker(`
      console.log("loading"); say({ progress: 0.25, checkpoint: { step: 1 }, log: "one" }); say({ log: ["two", "three"] });
      fs.writeFileSync(out + "0.txt", job.input.caption + (process.env.HUB_WORKER_TOKEN ?? "")); fs.writeFileSync(out + "1.png", "png");
      setTimeout(() => undefined, 1500);`);
    await waitForGeneration(id, { status: "running", progress: 0.25 });
    const readLines = () => hub.db.query("SELECT line FROM generation_log WHERE generation_id = $1 ORDER BY n", [id]);
    await expect.poll(readLines).toEqual([{ line: "one" }, { line: "two" }, { line: "three" }]);
    await waitForGeneration(id, { status: "succeeded", progress: 1 });
    const outputs = (await read(id)).outputs as { media_type: string; url: string }[];
    expect(outputs.map(({ media_type }) => media_type)).toEqual(["text/plain", "image/png"]);
    expect(await textOf(outputs[0]!.url)).toBe("hello");
    const [row] = await hub.db.query("SELECT checkpoint, gpu_ms > 1000 AS metered FROM generation WHERE id = $1", [id]);
    expect(row).toEqual({ checkpoint: { step: 1 }, metered: true });
    await stopWorker(child);
  });

  test("reports why a program failed, and retries after exit code 75", async () => {
    const once = `if (job.checkpoint) { fs.writeFileSync(out + "a.json", "{}"); } else {
      say({ checkpoint: { seen: true } }); setTimeout(() => process.exit(75), 900); }`;
    const child = startWorker(
      `if (job.input.caption === "again") { ${once} } else { console.error("no such thing"); process.exit(3); }`,
    );
    const [failing, retried] = [await queue(), await queue("gpu-a", "again")];
    await waitForGeneration(failing, {
      status: "failed",
      error: { code: "provider_error", message: "no such thing", retryable: false },
    });
    await waitForGeneration(retried, { status: "succeeded" });
    await stopWorker(child);
  });

  test("stops the program when the customer cancels, and continues with the next job", async () => {
    const child = startWorker(
      `if (job.input.caption === "long") { say({ progress: 0.5 }); setInterval(() => say({ progress: 0.5 }), 100); }`,
    );
    const id = await queue("gpu-a", "long");
    await waitForGeneration(id, { progress: 0.5 });
    expect((await callApi(host, "POST", `${JOBS}/${id}/cancel`, { key: customer.key })).body.status).toBe("canceled");
    const next = await queue();
    await waitForGeneration(next, { status: "succeeded" });
    await stopWorker(child);
  });

  test("survives a restart of the hub", async () => {
    const child = startWorker(
      `say({ progress: 0.5 }); setTimeout(() => fs.writeFileSync(out + "a.txt", "made"), 1500);`,
    );
    const id = await queue();
    await waitForGeneration(id, { progress: 0.5 });
    await close();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await open();
    await waitForGeneration(id, { status: "succeeded" });
    await waitForGeneration(await queue(), { status: "succeeded" });
    await stopWorker(child);
  });

  test("returns its job to the queue on a second signal", async () => {
    const child = startWorker(`say({ progress: 0.5 }); setInterval(() => undefined, 1000);`);
    const id = await queue();
    await waitForGeneration(id, { progress: 0.5 });
    const exited = waitForExit(child);
    child.kill("SIGTERM");
    child.kill("SIGINT");
    expect(await exited).toBe(0);
    expect(await read(id)).toMatchObject({ status: "queued" });
    await callApi(host, "POST", `${JOBS}/${id}/cancel`, { key: customer.key });
  });

  test("exits with 1 for an invalid token", async () => {
    token = "service_wk_none";
    expect(await waitForExit(startWorker(""))).toBe(1);
    ({ token } = await newWorker(hub));
  });
});

const hasPython = (() => {
  try {
    return execFileSync("python3", ["--version"]).length > 0;
  } catch {
    return false;
  }
})();

test.runIf(hasPython)("examples/worker.py completes a job", async () => {
  const child = start(["python3", "examples/worker.py", "gpu-b"]);
  const id = await queue("gpu-b");
  await waitForGeneration(id, { status: "succeeded" });
  const [output] = (await read(id)).outputs as { url: string; media_type: string }[];
  expect(output!.media_type).toBe("text/plain");
  child.kill();
});

test.runIf(hasPython)(
  "examples/worker.py fails a job that it cannot make, and continues with the next one",
  async () => {
    const make = `def make(job, report):
    note = job["input"]["caption"]
    if note == "an input of another server is gone":
        raise urllib.error.HTTPError("https://files.test/a.png", 409, "Conflict", {}, None)
    if note == "a long message":
        raise RuntimeError("🌲" * 3000)
    yield ("text" if note == "an invalid media type" else "text/plain"), note.encode()


`;
    const example = readFileSync("examples/worker.py", "utf8").replace(/^def make[^]*?(?=^def work)/m, make);
    const child = start(["python3", "-c", example, "gpu-b"]);
    const failing = ["an input of another server is gone", "a long message", "an invalid media type"];
    for (const note of failing)
      await waitForGeneration(await queue("gpu-b", note), { status: "failed", error: { code: "provider_error" } });
    await waitForGeneration(await queue("gpu-b"), { status: "succeeded" });
    child.kill();
  },
);

test.runIf(hasPython)("examples/worker.py repeats a request whose response stops or is cut off", async () => {
  const stopped: Answer = { status: 200, parts: [Buffer.from("{")], after: "open" };
  const cut: Answer = { status: 200, headers: { "Content-Length": "100" }, body: {} };
  const { url, requests } = await startScriptedServer([stopped, cut, { status: 200, body: { lease: 1 } }]);
  // Its 90 seconds pass in one.
  const code = `
import sys
sys.path.insert(0, "examples")
import worker
urlopen = worker.urllib.request.urlopen
worker.urllib.request.urlopen = lambda request, timeout=None: urlopen(request, timeout=timeout and timeout / 90)
worker.time.sleep = lambda seconds: None
print(worker.ask("POST", "/claim", {}))`;
  const env = { HUB_URL: url, HUB_WORKER_TOKEN: token, PYTHONDONTWRITEBYTECODE: "1" };
  expect(await runOrThrow("python3", ["-c", code], { env, timeoutMs: 20_000 })).toBe("{'lease': 1}\n");
  expect(requests.length).toBeGreaterThanOrEqual(3);
});

test("the audit finds no violation after these jobs", async () => {
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
