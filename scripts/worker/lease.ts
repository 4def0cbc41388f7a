import { openAsBlob } from "node:fs";
import { readdir } from "node:fs/promises";
import path from "node:path";
import type { HubClient, Job } from "./hub-client";
import { mediaTypeOf } from "./media-type";
import type { Report } from "./program";

// By this machine's own clock; the hub's may differ.
const LEASE_MS = 60_000;

/**
 * Returns the reports of a worker under one lease. Each is retried while the hub is unavailable, until the lease would
 * expire.
 */
export function openLease(ask: HubClient, { lease }: Job) {
  const began = performance.now();
  let renewed = began;
  let report: Report = {};
  const until = () => performance.now() - renewed < LEASE_MS;
  const tell = <T>(verb: string, body: object) => {
    const gpu_ms = Math.max(0, Math.floor(report.gpu_ms ?? performance.now() - began));
    return ask<T>(`leases/${lease.id}/${verb}`, { body: { fence: lease.fence, gpu_ms, ...body }, until });
  };
  return {
    note: (next: Report) => void (report = { ...report, ...next }),

    /** Leaves out what the hub has refused, so that the lease is renewed nevertheless. */
    forget: () => void (report = {}),

    /** Whether the customer has canceled. */
    async beat(): Promise<boolean> {
      const { progress, checkpoint } = report;
      const answer = await tell<{ cancel: boolean }>("heartbeat", { progress, checkpoint });
      renewed = performance.now();
      return answer!.cancel;
    },

    /** Sends every file of a folder, in the order of their names, and ends with success. */
    async complete(folder: string, signal: AbortSignal): Promise<void> {
      const entries = await readdir(folder, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      for (const [index, name] of names.toSorted().entries()) {
        const body = await openAsBlob(path.join(folder, name));
        const place = `leases/${lease.id}/outputs/${index}?fence=${lease.fence}`;
        await ask(place, { method: "PUT", body, type: mediaTypeOf(name), until, signal });
      }
      await tell("complete", {});
    },

    fail: (message: string, retryable: boolean) => tell("fail", { code: "provider_error", message, retryable }),
  };
}
