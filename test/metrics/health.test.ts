import { expect, test } from "vitest";
import { recordAudit } from "../../server/domain/audit/record-audit";
import { renderMetrics } from "../../server/domain/operations/render-metrics";
import { createLog } from "../../server/lib/log";
import { watchClock } from "../../server/process/watch-clock";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { parseMetrics } from "./parse-metrics";

const hub = await testHub();
const { storage } = hub;
const fail = () => Promise.reject(new Error("away"));

test("shows which part is not ready, free space, and a clock that is ahead", async () => {
  const found = parseMetrics(await renderMetrics(hub));
  const text = await renderMetrics(hub);
  for (const part of ["database", "storage", "job_engine"]) expect(text).toContain(`hub_ready{part="${part}"} 1`);
  expect(text).toMatch(/^hub_clock_skew_seconds 0$/m);
  expect(text).toMatch(/^hub_storage_free_bytes [1-9]\d+$/m);
  expect(found.has("hub_ledger_violations")).toBe(false);

  const ahead = () => new Date(Date.now() + 300_000);
  const broken = await renderMetrics(
    deriveHub(hub, {
      now: ahead,
      storage: { ...storage, check: fail },
      jobEngine: { ...hub.jobEngine, check: fail },
    }),
  );
  for (const [part, value] of Object.entries({ database: 1, storage: 0, job_engine: 0 }))
    expect(broken).toContain(`hub_ready{part="${part}"} ${value}`);
  expect(Number(/^hub_clock_skew_seconds (\S+)$/m.exec(broken)![1])).toBeCloseTo(300, -1);
});

test("a hub that was never audited is overdue since its database was made", async () => {
  const age = async (afterMs: number) => {
    const text = await renderMetrics(deriveHub(hub, { now: () => new Date(Date.now() + afterMs) }));
    return Number(/^hub_audit_age_seconds (\S+)$/m.exec(text)![1]);
  };
  expect(await age(30 * 3_600_000)).toBeGreaterThan(29 * 3_600);
  await recordAudit(hub);
  expect(await age(0)).toBeLessThan(3_600);
});

test("logs once that the clocks differ", async () => {
  const lines: string[] = [];
  const log = createLog({ LOG_LEVEL: "info" }, undefined, { write: (line) => lines.push(line) });
  await watchClock(deriveHub(hub, { log }))();
  expect(lines).toEqual([]);
  await watchClock(deriveHub(hub, { log, now: () => new Date(Date.now() - 300_000) }))();
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 40, seconds: expect.closeTo(-300, -1) as number });
});
