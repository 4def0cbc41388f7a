import path from "node:path";
import { measureFreeBytes } from "../../storage/free-bytes";
import { findReadinessIssues, measureClockSkew, readinessParts } from "../health";
import { cacheReading } from "./cache-reading";
import { gauge, single } from "./gauge";
import type { OperationsHub } from "./hub";

/** Returns the metrics of what the hub needs, as far as it responds. */
export async function renderHealth(hub: OperationsHub): Promise<string> {
  const { issues, skew, freeBytes } = await readHealthCached(hub)();
  const ready = readinessParts.map((part) => ({ labels: { part }, value: issues[part] === null ? 1 : 0 }));
  return [
    gauge("hub_ready", "Whether what requests need responds.", ready),
    gauge("hub_clock_skew_seconds", "How far the clock is ahead of the database's.", single(skew)),
    gauge("hub_storage_free_bytes", "Free space of the disk that has the files.", single(freeBytes)),
  ].join("");
}

const readHealthCached = cacheReading(async (hub) => {
  const { HUB_DATA_DIR, STORAGE_S3_BUCKET } = hub.env;
  const [issues, skew, freeBytes] = await Promise.all([
    findReadinessIssues(hub),
    measureClockSkew(hub).catch(() => null),
    STORAGE_S3_BUCKET ? null : measureFreeBytes(path.join(HUB_DATA_DIR, "files")).catch(() => null),
  ]);
  return { issues, skew, freeBytes };
});
