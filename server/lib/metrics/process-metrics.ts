import { readdirSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { HubMetrics } from "./hub-metrics";
import type { Sample } from "./text-format";

const LOOP_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Declares the metrics of the process itself. Call it once: it measures the event loop from then on. */
export function observeProcess(metrics: HubMetrics, version: string): void {
  const lag = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  lag.enable();
  const { observed } = metrics.registry;
  observed("gauge", "hub_build_info", "1, with the version that runs.", () => [{ labels: { version }, value: 1 }]);
  observed("gauge", "nodejs_eventloop_lag_seconds", "Delay of the event loop since the last scrape.", () => {
    const samples = [
      { labels: { statistic: "mean" }, value: toLag(lag.mean) },
      { labels: { statistic: "p99" }, value: toLag(lag.percentile(99)) },
      { labels: { statistic: "max" }, value: toLag(lag.max) },
    ];
    lag.reset();
    return samples;
  });
  const single = (kind: "gauge" | "counter", name: string, help: string, read: () => number | null) =>
    observed(kind, name, help, () => toSamples(read()));
  single("gauge", "nodejs_heap_used_bytes", "Memory of JavaScript objects.", () => process.memoryUsage().heapUsed);
  single("counter", "process_cpu_seconds_total", "CPU time of the process.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROSECONDS;
  });
  single("gauge", "process_resident_memory_bytes", "Resident memory.", () => process.memoryUsage.rss());
  const startedAt = Date.now() / 1000 - process.uptime();
  single("gauge", "process_start_time_seconds", "When the process began, in seconds since 1970.", () => startedAt);
  single("gauge", "process_open_fds", "Open files and sockets.", countOpenFiles);
}

// Before the first measurement, and after a reset, there is no number.
const toLag = (nanoseconds: number): number =>
  Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / NANOSECONDS - LOOP_RESOLUTION_MS / 1000) : 0;

const toSamples = (value: number | null): Sample[] => (value === null ? [] : [{ labels: {}, value }]);

/** Returns how many files are open; null if the system has no list of them. */
function countOpenFiles(): number | null {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return null;
  }
}
