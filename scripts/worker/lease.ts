import { openAsBlob } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { HubClient, Job } from "./hub-client";
import { mediaTypeOf } from "./media-type";
import type { Report } from "./program";

// Measured by this machine's clock, because the hub's may differ.
const LEASE_MS = 60_000;
/** The most log lines that a heartbeat may contain. */
const MAX_LINES = 20;

/** Opens the requests that one lease allows. Each is retried while the hub is down, until the lease must have expired. */
export function openLease(sendRequest: HubClient, { lease }: Job) {
  const startedAt = performance.now();
  let renewedAt = startedAt;
  let report: Report = {};
  const lines: unknown[] = [];
  const shouldRetry = () => performance.now() - renewedAt < LEASE_MS;
  const postReport = <T>(verb: string, members: object) => {
    const gpu_ms = Math.max(0, Math.floor(report.gpu_ms ?? performance.now() - startedAt));
    const body = { fence: lease.fence, gpu_ms, ...members };
    return sendRequest<T>(`leases/${lease.id}/${verb}`, { body, shouldRetry });
  };
  return {
    addReport({ log, ...next }: Report) {
      report = { ...report, ...next };
      lines.push(...[log ?? []].flat());
      lines.splice(0, lines.length - MAX_LINES);
    },

    /** Drops a report that the hub rejected, so that the next heartbeat renews the lease. */
    clearReport: () => void (report = {}),

    /** Renews the lease, and returns whether the customer has canceled. */
    async sendHeartbeat(): Promise<boolean> {
      const { progress, checkpoint, preview } = report;
      // A preview and log lines are sent only once.
      delete report.preview;
      const log = lines.length > 0 ? lines.splice(0) : undefined;
      const response = await postReport<{ cancel: boolean }>("heartbeat", { progress, checkpoint, log, preview });
      renewedAt = performance.now();
      return response!.cancel;
    },

    /** Uploads every file of a folder, sorted by name, and completes the job. */
    async complete(folder: string, signal: AbortSignal): Promise<void> {
      const entries = await readdir(folder, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      for (const [index, name] of names.toSorted().entries()) {
        const body = await openAsBlob(path.join(folder, name));
        const outputPath = `leases/${lease.id}/outputs/${index}?fence=${lease.fence}`;
        await sendRequest(outputPath, { method: "PUT", body, mediaType: mediaTypeOf(name), shouldRetry, signal });
      }
      await postReport("complete", {});
    },

    fail: (message: string, retryable: boolean) => postReport("fail", { code: "provider_error", message, retryable }),
  };
}
