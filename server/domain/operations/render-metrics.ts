import { toEuros } from "../../lib/money";
import type { HubMetrics } from "../../lib/metrics/hub-metrics";
import { observeProcess } from "../../lib/metrics/process-metrics";
import type { Sample } from "../../lib/metrics/text-format";
import { VERSION } from "../../lib/version";
import { modelLabel } from "../metrics";
import { ONLINE_MS } from "../workers";
import { cacheReading } from "./cache-reading";
import { gauge, single } from "./gauge";
import type { OperationsHub } from "./hub";
import { type Gauges, readGauges } from "./read-gauges";
import { renderHealth } from "./render-health";

/** Returns `/metrics`: what the process counts, and one reading of the database, without which the rest is still there. */
export async function renderMetrics(hub: OperationsHub): Promise<string> {
  startObserving(hub);
  const gauges = await readCached(hub).catch((error: unknown) => {
    hub.log.warn({ err: error }, "metrics of the database could not be read");
    return null;
  });
  const isUp = gauge("hub_database_up", "Whether the last scrape could read the database.", single(gauges ? 1 : 0));
  return hub.metrics.registry.render() + isUp + (await renderHealth(hub)) + (gauges ? formatGauges(hub, gauges) : "");
}

/** Declares what is read from the process, at the first scrape: a hub that nobody scrapes measures no event loop. */
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

const gaugesCache = cacheReading(readGauges);
const readCached = (hub: OperationsHub): Promise<Gauges> => gaugesCache(hub)();

function formatGauges(hub: OperationsHub, gauges: Gauges): string {
  const label = (model: string) => modelLabel(hub, model);
  const queues = gauges.queues.map(({ model, state, count, age }) => ({
    labels: { state, model: label(model) },
    count,
    age,
  }));
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
  const counts = mergeSamples(
    queues.map(({ labels, count }) => ({ labels, value: count })),
    (a, b) => a + b,
  );
  const ages = mergeSamples(
    queues.map(({ labels, age }) => ({ labels, value: age })),
    Math.max,
  );
  return [
    gauge("hub_generations", "Generations that have not ended.", counts),
    gauge("hub_generations_oldest_age_seconds", "Age of the oldest generation in a state.", ages),
    gauge("hub_engine_jobs", "Jobs of the embedded engine.", byFunction),
    gauge("hub_engine_oldest_due_seconds", "How long the job that is due longest waits to be woken.", overdue),
    gauge(
      "hub_worker_leases",
      "Leases of workers.",
      mergeSamples(leases, (a, b) => a + b),
    ),
    gauge("hub_webhook_due", "Webhook deliveries of which an attempt is due.", single(gauges.webhooks_due)),
    gauge("hub_webhook_oldest_due_age_seconds", "How long the oldest of them is due.", single(gauges.webhook_age)),
    gauge("hub_ledger_violations", "What the last audit found wrong.", single(gauges.violations)),
    gauge("hub_audit_age_seconds", "Time since the last audit.", single(gauges.audit_age)),
    gauge("hub_balance_euros", "Sum of all balances.", single(toEuros(gauges.balance))),
    gauge(
      "hub_reserved_euros",
      "Sum of the holds of generations that have not ended.",
      single(toEuros(gauges.reserved)),
    ),
    gauge("hub_owed_euros", "What accounts owe.", single(toEuros(gauges.owed))),
    gauge(
      "hub_payment_events_unapplied",
      "Reports of payment providers that are not applied.",
      single(gauges.payment_events),
    ),
    gauge("hub_autotopup_paused", "Automatic top-ups that are paused.", single(gauges.paused_top_ups)),
    gauge(
      "hub_files_bytes",
      "Content of all files; an estimate for many files.",
      single(Math.round(gauges.file_bytes)),
    ),
  ].join("");
}

/** Returns the samples with one for each set of labels: models that are offered no longer share one. */
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
