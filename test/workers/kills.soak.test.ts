import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { followJobs } from "../../server/process/notifications";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";
import { addGpuModels, newWorker } from "./test-workers";

const WORKERS = 4;
const JOBS = 500;

const host = await openOwnHost();
const { hub } = host;
addGpuModels(hub);
const stopFollowing = followJobs(hub, hub.databaseUrl);
const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await stopFollowing();
});

// Bundled once, because a worker must start before it is killed again.
const maliciousWorker = path.join(hub.folder, "malicious-worker.mjs");
await build({
  entryPoints: [path.join(import.meta.dirname, "malicious-worker.ts")],
  outfile: maliciousWorker,
  format: "esm",
});

function startWorker(token: string): ChildProcess {
  const child = fork(maliciousWorker, [host.url, token], { execArgv: [] });
  children.add(child);
  return child;
}

interface Row {
  status: string;
  billed_cost: bigint | null;
  estimated_cost: bigint;
  charges: number;
}

test(`${WORKERS} malicious workers that are killed finish ${JOBS} jobs: each ends once and is billed once`, async () => {
  const customer = await newCustomer(hub, { credit: 1_000_000 });
  const { token } = await newWorker(hub);
  const workers = Array.from({ length: WORKERS }, () => startWorker(token));
  for (let n = 0; n < JOBS; n += 1) {
    const body = { model: "gpu-a", input: { note: String(n) } };
    expect((await callApi(host, "POST", "/api/v1/hub/generations", { key: customer.key, body })).status).toBe(202);
  }
  const open = async () =>
    Number(
      (await hub.db.query<{ count: bigint }>("SELECT count(*) FROM generation WHERE settled_at IS NULL"))[0]!.count,
    );
  while ((await open()) > 0) {
    await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 400));
    const victim = Math.floor(Math.random() * WORKERS);
    workers[victim]!.kill("SIGKILL");
    children.delete(workers[victim]!);
    workers[victim] = startWorker(token);
    // Its leases expire, and so do those of the others.
    if (Math.random() < 0.4) hub.clock.advance(61_000);
  }

  const rows = await hub.db.query<Row>(`
      SELECT g.status, g.billed_cost, g.estimated_cost,
             (SELECT count(*)::int FROM ledger_entry e WHERE e.generation_id = g.id) AS charges
      FROM generation g`);
  expect(rows).toHaveLength(JOBS);
  for (const { status, billed_cost, estimated_cost, charges } of rows) {
    expect(["succeeded", "failed"]).toContain(status);
    expect(billed_cost).toBeLessThanOrEqual(estimated_cost);
    expect(charges).toBe(billed_cost! > 0n ? 1 : 0);
  }
  // An output belongs to the lease under which it was completed.
  const outputs = await hub.db.query<{ id: string; lease_id: string }>(
    `SELECT f.id, a.lease_id FROM file f JOIN generation g ON g.id = f.generation_id
       JOIN attempt a ON a.generation_id = g.id AND a.n = g.fence WHERE f.stored_at IS NOT NULL`,
  );
  expect(outputs.length).toBe(rows.filter(({ status }) => status === "succeeded").length);
  for (const { id, lease_id } of outputs) {
    const { body } = await callApi(host, "GET", `/api/v1/hub/files/${id}`, { key: customer.key });
    expect(body).toEqual({ by: lease_id });
  }
  expect((await runAudit(hub.db)).violations).toEqual([]);
}, 1_800_000);
