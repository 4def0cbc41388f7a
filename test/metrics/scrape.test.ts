import { spawnSync } from "node:child_process";
import { beforeAll, expect, test, vi } from "vitest";
import { errorTypes } from "../../server/lib/metrics/error-types";
import { finishGeneration } from "../../server/domain/generations/end/finish";
import { insertWithHold } from "../../server/domain/generations/intake/insert-with-hold";
import { markRunning } from "../../server/domain/generations/run/mark-running";
import type { FinalStatus, Status } from "../../server/domain/generations/row/transitions";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { queuedGeneration } from "../generation-fixture";
import { findProgram } from "../image/tools";
import { openLoadedHub } from "./loaded-hub";
import { documentedMetrics, labelsOf, parseMetrics } from "./parse-metrics";
import { WAIT } from "../wait";

const host = await openLoadedHub();
const promtool = findProgram("promtool");
let text = "";
beforeAll(async () => {
  await host.sendLoad();
  // Deliveries and settlements are counted when their statements have committed.
  await vi.waitFor(async () => {
    text = await host.scrape();
    expect(text).toMatch(/hub_webhook_deliveries_total\{outcome="succeeded"\} [1-9]/);
  }, WAIT);
});

test("shows every documented metric with its kind and labels, and no other", () => {
  const found = parseMetrics(text);
  const documented = documentedMetrics();
  expect(documented.size).toBeGreaterThan(45);
  expect([...found.keys()].filter((name) => !documented.has(name))).toEqual([]);
  for (const [name, { kind, labels }] of documented) {
    const metric = found.get(name);
    expect({ name, kind: metric?.kind, labels: metric && labelsOf(metric) }).toEqual({ name, kind, labels });
  }
});

test.skipIf(!promtool)("promtool finds nothing wrong with the names and the format", () => {
  const { status, stdout, stderr } = spawnSync(promtool!, ["check", "metrics"], { input: text, encoding: "utf8" });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("counts what was sent", () => {
  for (const line of [
    /hub_http_requests_total\{operation="getAccount",code="200"\} [1-9]/,
    /hub_http_requests_total\{operation="getAccount",code="401"\} [1-9]/,
    /hub_refusals_total\{code="unauthorized",error_type="caller_invalid"\} [1-9]/,
    /hub_auth_failures_total\{via="api"\} 1/,
    /hub_auth_failures_total\{via="console"\} 1/,
    /hub_generations_total\{model="sandbox-image",outcome="succeeded",error_type=""\} 1/,
    /hub_generations_total\{model="talk",outcome="failed",error_type="provider_rate_limited"\} 1/,
    /hub_provider_attempts_total\{provider="up",model="talk",error_type=""\} 1/,
    /hub_provider_attempts_total\{provider="up",model="talk",error_type="provider_rate_limited"\} 1/,
    /hub_provider_attempts_total\{provider="worker",model="gpu-a",error_type="provider_error"\} 1/,
    /hub_chat_tokens_total\{model="talk",direction="output",class="output"\} 7/,
    /hub_media_units_total\{model="sandbox-image",unit="image"\} 1/,
    /hub_provider_attempts_total\{provider="worker",model="gpu-a",error_type="worker_lapsed"\} 1/,
    /hub_worker_lapses_total\{model="gpu-a"\} 1/,
    /hub_generations\{state="queued",model="gpu-a"\} 1/,
    /hub_workers\{model="gpu-a",state="online"\} 1/,
    /hub_payments_total\{outcome="paid"\} 1/,
    /hub_admin_actions_total\{action="payment.record"\} 1/,
    /hub_ledger_violations 0/,
    /hub_balance_euros 1000\.\d+/,
    /hub_database_up 1/,
  ])
    expect(text).toMatch(line);
});

test("counts each end once, whoever repeats it: the sums are those of the database", async () => {
  const { hub } = host;
  const { account } = await newCustomer(hub, { credit: 10 });
  const ids = [1, 2, 3].map(() => queuedGeneration(account, 1_000_000n));
  for (const generation of ids) await insertWithHold(hub, generation);
  const run = { generationId: ids[0]!.id, runId: "run" };
  await Promise.all([markRunning(hub, run), markRunning(hub, run), markRunning(hub, run)]);
  const end = (id: string, from: Status[], to: FinalStatus) => finishGeneration(hub, { id, from, to });
  await Promise.all([1, 2, 3, 4].map(() => end(ids[0]!.id, ["running"], "succeeded")));
  await Promise.all([1, 2, 3].flatMap(() => ids.slice(1).map(({ id }) => end(id, ["queued"], "canceled"))));
  const metrics = parseMetrics(await host.scrape());
  const sum = (name: string) => metrics.get(name)!.samples.reduce((total, { value }) => total + value, 0);
  const [row] = await hub.db.query<
    Record<"ended" | "attempts", bigint> & Record<"billed" | "cost" | "started", number>
  >(
    `SELECT count(*) FILTER (WHERE completed_at IS NOT NULL) AS ended, sum(billed_cost)::float8 / 1e9 AS billed,
            count(started_at) FILTER (WHERE NOT is_llm)::int AS started,
            (SELECT count(*) FROM attempt WHERE outcome IS NOT NULL) AS attempts,
            (SELECT sum(cost)::float8 / 1e9 FROM attempt) AS cost
     FROM generation`,
  );
  expect(sum("hub_generations_total")).toBe(Number(row!.ended));
  expect(sum("hub_billed_euros_total")).toBeCloseTo(row!.billed, 9);
  expect(sum("hub_provider_attempts_total")).toBe(Number(row!.attempts));
  expect(sum("hub_provider_cost_euros_total")).toBeCloseTo(row!.cost, 9);
  const starts = metrics.get("hub_generation_wait_seconds")!.samples.filter(({ labels }) => labels.le === "+Inf");
  expect(starts.reduce((total, { value }) => total + value, 0)).toBe(row!.started);
});

test("labels have only known values, whatever clients send", async () => {
  const { key } = await newCustomer(host.hub);
  const before = parseMetrics(await host.scrape());
  for (let n = 0; n < 30; n += 1) {
    await callApi(host, "POST", "/api/v1/hub/generations", { key, body: { model: `made-up-${n}`, input: {} } });
    await fetch(`${host.url}/api/v1/made-up-${n}?model=x${n}`, { method: n % 2 ? "GET" : "DELETE" });
    await fetch(`${host.url}/v1/models/made-up-${n}`, { headers: { authorization: `Bearer ${key}` } });
  }
  await expect.poll(host.scrape).toMatch(/operation="_OTHER",code="404"\} 30/);
  const after = await host.scrape();
  expect(after).not.toContain("made-up");
  expect(after).not.toContain(key);
  const count = (metrics: ReturnType<typeof parseMetrics>) => metrics.get("hub_http_requests_total")!.samples.length;
  expect(count(parseMetrics(after)) - count(before)).toBeLessThanOrEqual(4);
});

test("every error type is of the closed list, and none is unknown", () => {
  const types = [...text.matchAll(/error_type="([^"]*)"/g)].map(([, type]) => type!);
  expect(types.length).toBeGreaterThan(5);
  expect(types.filter((type) => type !== "" && !(errorTypes as readonly string[]).includes(type))).toEqual([]);
  expect(types).not.toContain("_OTHER");
});

test("without the database, what the process counts is still there", async () => {
  const { db } = host.hub;
  const query = db.query.bind(db);
  db.query = () => Promise.reject(new Error("gone"));
  try {
    await expect.poll(host.scrape).toContain("hub_database_up 0");
    const without = await host.scrape();
    expect(without).toContain("hub_http_requests_total");
    expect(without).not.toContain("hub_balance_euros ");
  } finally {
    db.query = query;
  }
  await expect.poll(host.scrape).toContain("hub_database_up 1");
});
