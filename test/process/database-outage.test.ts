import { randomUUID } from "node:crypto";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { queryHub } from "../../e2e/query-hub";
import { type RunningHub, startHub } from "../../e2e/server";
import { findPostmaster } from "../../server/db/embedded/postmaster";
import { newBrowser } from "../auth-browser";
import { runCommand } from "../command-line";
import { childrenOf } from "../process-tree";
import { isSoak, soakCount } from "../soak";

// Starts a whole process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

let hub: RunningHub;
let cookie: string;
const accepted = new Set<string>();
const wrong: string[] = [];
/** How many requests of each client were answered. */
const answers = new Map<() => Promise<Response>, number>();
const load = new AbortController();
const clients: Promise<void>[] = [];

beforeAll(async () => {
  const limits = { RATE_LIMIT_WRITES_PER_MINUTE: "1000000", RATE_LIMIT_READS_PER_MINUTE: "1000000" };
  hub = await startHub({ env: limits });
  const browser = newBrowser(hub.url);
  await browser.post("/api/auth/callback/credentials", { email: hub.demo.email, password: hub.demo.password });
  cookie = browser.cookie();
  clients.push(...routes.map(repeat));
});
afterAll(async () => {
  load.abort();
  await hub.stop();
});

const post = (start: string, body: object, headers: Record<string, string> = {}) =>
  fetch(hub.url + start, {
    method: "POST",
    headers: { authorization: `Bearer ${hub.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });

async function create(): Promise<Response> {
  // A recording takes much less processor time than a picture.
  const body = { model: "sandbox-speech", input: { input: "outage" } };
  const response = await post("/api/v1/hub/generations", body, { "idempotency-key": randomUUID() });
  if (response.status === 202) accepted.add(((await response.clone().json()) as { id: string }).id);
  return response;
}
const chat = () =>
  post("/api/v1/hub/chat/completions", { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] });
const read = () => fetch(`${hub.url}/api/v1/me`, { headers: { authorization: `Bearer ${hub.key}` } });
const list = () =>
  fetch(`${hub.url}/api/v1/hub/generations?limit=5`, { headers: { authorization: `Bearer ${hub.key}` } });
const readConsole = () => fetch(`${hub.url}/api/trpc/keys.list`, { headers: { cookie } });
const readSession = () => fetch(`${hub.url}/api/auth/session`, { headers: { cookie } });
const routes = [create, chat, read, list, readConsole, readSession];

/** Repeats a request; only a success or a 503 with Retry-After is right. */
async function repeat(sendRequest: () => Promise<Response>): Promise<void> {
  while (!load.signal.aborted) {
    try {
      const response = await sendRequest();
      const text = await response.text();
      const isUnavailable = response.status === 503 && Number(response.headers.get("retry-after")) >= 1;
      const isSignedOut = sendRequest === readSession && response.ok && !text.includes("@");
      if ((!response.ok && !isUnavailable) || isSignedOut)
        wrong.push(`${sendRequest.name}: ${response.status} ${text}`);
    } catch (error) {
      wrong.push(`${sendRequest.name}: ${String((error as Error).cause ?? error)}`);
    }
    answers.set(sendRequest, (answers.get(sendRequest) ?? 0) + 1);
    // Six clients that never paused would take most of the time of the hub, and of other suites.
    await new Promise((resolve) => setTimeout(resolve, soakCount(50, 5)));
  }
}

const countAnswers = () => [...answers.values()].reduce((sum, count) => sum + count, 0);

const data = () => path.join(hub.dataDir, "postgres", "data");
const postmaster = async () => (await findPostmaster(data()))!;
const query = <Row extends object>(text: string, values: unknown[] = []) => queryHub<Row>(hub.dataDir, text, values);

/** Resolves when REST, the console and pages respond again. */
async function recovered(): Promise<void> {
  const statuses = async () =>
    Promise.all(routes.map(async (sendRequest) => (await sendRequest().catch(() => null))?.status));
  await expect.poll(statuses, { timeout: 30_000, interval: 100 }).toEqual([202, 200, 200, 200, 200, 200]);
  const ready = () => fetch(`${hub.url}/api/v1/ready`).then(({ status }) => status);
  await expect.poll(ready, { timeout: 30_000 }).toBe(200);
}

const backends = () =>
  query<{ pid: number; application_name: string; query: string }>(
    "SELECT pid, application_name, query FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );

test("closing any one connection causes at most a 503", async () => {
  await recovered();
  const open = await backends();
  // The pool, the ledger's connection, the listeners, the engine's connection, and the one that holds the server's lock.
  expect(open.length).toBeGreaterThanOrEqual(6);
  for (const { pid } of open) await query("SELECT pg_terminate_backend($1)", [pid]);
  await recovered();
  expect(wrong).toEqual([]);
  expect(hub.child.exitCode).toBeNull();
  expect(hub.output()).not.toContain("Postgres has ended");
});

test("restarts a Postgres that crashes by any signal, and responds to requests in flight", async () => {
  const { pid } = (await backends())[0]!;
  process.kill(pid, "SIGKILL");
  await recovered();
  for (const signal of ["SIGKILL", "SIGTERM", "SIGQUIT"] as const) {
    const before = await postmaster();
    const count = countAnswers();
    process.kill(before.pid, signal);
    await expect.poll(async () => (await findPostmaster(data()))?.pid).not.toBe(before.pid);
    await recovered();
    expect(countAnswers()).toBeGreaterThan(count);
  }
  expect(wrong).toEqual([]);
});

// A statement's time limit passes in real time.
test.skipIf(!isSoak)("a Postgres that falls silent is an outage until it speaks again", async () => {
  const { pid } = await postmaster();
  const all = [pid, ...childrenOf(pid)];
  for (const each of all) process.kill(each, "SIGSTOP");
  const before = new Map(answers);
  const fewest = () => Math.min(...routes.map((route) => answers.get(route)! - before.get(route)!));
  try {
    // Each client gets the answer to the request that it has sent, and to the next one.
    await expect.poll(fewest, { timeout: 120_000 }).toBeGreaterThanOrEqual(2);
  } finally {
    for (const each of all) process.kill(each, "SIGCONT");
  }
  await recovered();
  expect(wrong).toEqual([]);
});

test("nothing accepted is lost or charged wrongly", async () => {
  load.abort();
  await Promise.all(clients);
  const unfinished = () =>
    query<{ id: string }>("SELECT id FROM generation WHERE status <> 'succeeded' AND id = ANY ($1::uuid[])", [
      [...accepted],
    ]);
  await expect.poll(unfinished, { timeout: 90_000, interval: 500 }).toEqual([]);
  const found = await query("SELECT FROM generation WHERE id = ANY ($1::uuid[])", [[...accepted]]);
  expect(found).toHaveLength(accepted.size);
  const { stdout, code } = await runCommand(["audit", "--json"], { HUB_DATA_DIR: hub.dataDir });
  expect(JSON.parse(stdout)).toMatchObject({ violations: [] });
  expect(code).toBe(0);
});

test("exits with 1 and one sentence when Postgres crashes a fourth time within a minute", async () => {
  const isReady = () =>
    fetch(`${hub.url}/api/v1/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const killWhenReady = async () => {
    const running = (await isReady()) && (await findPostmaster(data()));
    if (running) process.kill(running.pid, "SIGQUIT");
    return hub.child.exitCode;
  };
  await expect.poll(killWhenReady, { timeout: 60_000, interval: 100 }).toBe(1);
  const sentences = hub
    .output()
    .split("\n")
    .filter((line) => !line.startsWith("{"));
  expect(sentences.join("\n")).toContain("\nThe embedded Postgres has ended 4 times within a minute, ");
});
