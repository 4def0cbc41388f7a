import path from "node:path";
import { toEuros } from "../../lib/money";
import type { HubMetrics } from "../../lib/metrics/hub-metrics";
import { observeProcess } from "../../lib/metrics/process-metrics";
import { formatFamily, type Sample } from "../../lib/metrics/text-format";
import { VERSION } from "../../lib/version";
import { modelLabel } from "../metrics";
import { ONLINE_MS } from "../workers";
import type { OperationsHub } from "./hub";
import { type Gauges, readGauges } from "./read-gauges";
import { measureFreeBytes } from "../../storage/free-bytes";
import { findReadinessIssues, measureClockSkew, readinessParts } from "../health";
import { memoizePer } from "../../lib/memoize-per";

/** Returns the text of `/metrics`: what the process counts, and what the database has, which is left out if it fails. */
export async function renderMetrics(hub: OperationsHub): Promise<string> {
  startObserving(hub);
  const gauges = await readDatabase(hub).catch((error: unknown) => {
    hub.log.warn({ err: error }, "metrics of the database could not be read");
    return null;
  });
  const isUp = gauge("hub_database_up", "Whether the last scrape could read the database.", gauges ? 1 : 0);
  return hub.metrics.registry.render() + isUp + (await renderHealth(hub)) + (gauges ? formatGauges(hub, gauges) : "");
}

// Begins at the first scrape, so that a hub that is not scraped does not measure its event loop.
const observing = new WeakSet<HubMetrics>();
function startObserving(hub: OperationsHub): void {
  if (observing.has(hub.metrics)) return;
  observing.add(hub.metrics);
  const { pool } = hub.db;
  const { observed } = hub.metrics.registry;
  observeProcess(hub.metrics, VERSION);
  observed("gauge", "hub_pg_pool_connections", "Connections of the pool to Postgres.", () => [
    { labels: { state: "busy" }, value: pool.totalCount - pool.idleCount },
    { labels: { state: "idle" }, value: pool.idleCount },
  ]);
  const waiting = () => single(pool.waitingCount);
  observed("gauge", "hub_pg_pool_waiting", "Statements that wait for a connection of the pool.", waiting);
  observed("gauge", "hub_workers", "Workers that ask for jobs of a model.", () => countWorkers(hub));
}

const readDatabase = cacheReading(readGauges);

function formatGauges(hub: OperationsHub, gauges: Gauges): string {
  const label = (model: string) => modelLabel(hub, model);
  const queues = gauges.queues.map(({ model, state, ...row }) => ({ ...row, labels: { state, model: label(model) } }));
  const byFunction = gauges.engine.flatMap(({ function: name, ready, executing, later }) =>
    Object.entries({ ready, executing, later }).map(([state, value]) => ({ labels: { function: name, state }, value })),
  );
  const overdue = gauges.engine.map((row) => ({
    labels: { function: row.function },
    value: Math.max(0, row.overdue ?? 0),
  }));
  const leases = gauges.leases.flatMap(({ model, live, expired }) =>
    Object.entries({ live, expired }).map(([state, value]) => ({ labels: { model: label(model), state }, value })),
  );
  const counts = queues.map(({ labels, count: value }) => ({ labels, value }));
  const ages = queues.map(({ labels, age: value }) => ({ labels, value }));
  const add = (a: number, b: number) => a + b;
  return [
    gauge("hub_generations", "Generations that have not ended.", mergeSamples(counts, add)),
    gauge(
      "hub_generations_oldest_age_seconds",
      "Age of the oldest generation in a state.",
      mergeSamples(ages, Math.max),
    ),
    gauge("hub_engine_jobs", "Jobs of the embedded engine.", byFunction),
    gauge("hub_engine_oldest_due_seconds", "Time since the longest overdue job became due.", overdue),
    gauge("hub_worker_leases", "Leases of workers.", mergeSamples(leases, add)),
    gauge("hub_webhook_due", "Webhook deliveries with an attempt that is due.", gauges.webhooks_due),
    gauge(
      "hub_webhook_oldest_due_age_seconds",
      "Time since the oldest due webhook attempt became due.",
      gauges.webhook_age,
    ),
    gauge("hub_ledger_violations", "Violations that the last audit found.", gauges.violations),
    gauge("hub_audit_age_seconds", "Time since the last audit.", gauges.audit_age),
    gauge("hub_balance_euros", "Sum of all balances.", toEuros(gauges.balance)),
    gauge("hub_promotional_euros", "The part of all balances that is promotional.", toEuros(gauges.promotional)),
    gauge("hub_reserved_euros", "Sum of the holds of generations that have not ended.", toEuros(gauges.reserved)),
    gauge("hub_owed_euros", "Sum of the debts of all accounts.", toEuros(gauges.owed)),
    gauge("hub_payment_events_unapplied", "Events of payment providers that are not applied.", gauges.payment_events),
    gauge("hub_autotopup_paused", "Automatic top-ups that are paused.", gauges.paused_top_ups),
    gauge("hub_files_bytes", "Size of all files; an estimate if there are many.", Math.round(gauges.file_bytes)),
  ].join("");
}

/** Combines samples with the same labels, because all models that are no longer offered share a label. */
function mergeSamples(samples: Sample[], combine: (a: number, b: number) => number): Sample[] {
  const merged = new Map<string, Sample>();
  for (const sample of samples) {
    const key = JSON.stringify(sample.labels);
    const other = merged.get(key);
    merged.set(key, other ? { ...other, value: combine(other.value, sample.value) } : sample);
  }
  return [...merged.values()];
}

function countWorkers(hub: OperationsHub): Sample[] {
  const now = hub.now().getTime();
  const counts = new Map<string, number>();
  for (const { models } of hub.presence.values())
    for (const [id, askedAt] of models) {
      const model = modelLabel(hub, id);
      if (now - askedAt < ONLINE_MS) counts.set(model, (counts.get(model) ?? 0) + 1);
    }
  return [...counts].map(([model, value]) => ({ labels: { model, state: "online" }, value }));
}

/** Returns the metrics of the services that the hub needs; values that cannot be read are left out. */
async function renderHealth(hub: OperationsHub): Promise<string> {
  const { issues, skew, freeBytes } = await readHealth(hub);
  const ready = readinessParts.map((part) => ({ labels: { part }, value: issues[part] === null ? 1 : 0 }));
  return [
    gauge("hub_ready", "Whether the services that requests need respond.", ready),
    gauge("hub_clock_skew_seconds", "Seconds by which the clock is ahead of the database's.", skew),
    gauge("hub_storage_free_bytes", "Free space on the disk that stores the files.", freeBytes),
  ].join("");
}

const readHealth = cacheReading(async (hub) => {
  const { HUB_DATA_DIR, STORAGE_S3_BUCKET } = hub.env;
  const [issues, skew, freeBytes] = await Promise.all([
    findReadinessIssues(hub),
    measureClockSkew(hub).catch(() => null),
    STORAGE_S3_BUCKET ? null : measureFreeBytes(path.join(HUB_DATA_DIR, "files")).catch(() => null),
  ]);
  return { issues, skew, freeBytes };
});

/** How long a reading is reused, so that several scrapers cost no more than one. */
const CACHE_MS = 5_000;

/** Returns a function that calls `read` at most once in five seconds for a hub, except after an error. */
function cacheReading<T>(read: (hub: OperationsHub) => Promise<T>): (hub: OperationsHub) => Promise<T> {
  const readerOf = memoizePer((hub: OperationsHub) => {
    let readAt = -Infinity;
    let reading: Promise<T> | undefined;
    return () => {
      const now = performance.now();
      if (reading && now - readAt < CACHE_MS) return reading;
      readAt = now;
      reading = read(hub);
      reading.catch(() => (readAt = -Infinity));
      return reading;
    };
  });
  return (hub) => readerOf(hub)();
}

/** Returns the text of a gauge, of samples or of one value without labels. */
const gauge = (name: string, help: string, value: Sample[] | number | null): string =>
  formatFamily({ name, help, kind: "gauge", samples: Array.isArray(value) ? value : single(value) });

const single = (value: number | null): Sample[] => (value === null ? [] : [{ labels: {}, value }]);
