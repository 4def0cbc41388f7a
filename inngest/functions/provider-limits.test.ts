import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { runningHub } from "../../test/engine";
import { createPayer, createUpstream, queueRouted, refusedBecause, routedCatalogue } from "../../test/routed-hub";
import { soakCount } from "../../test/soak";
import { runAudit } from "../../server/domain/audit/audit";
import { startWaitDispatch } from "../../server/process/wait-dispatch";
import type { ProviderOutput } from "../../server/providers/job";

const JOBS = soakCount(40, 300);
const ACCOUNTS = 3;
const MAX_IN_FLIGHT = 4;

const hub = await runningHub({ LOG_LEVEL: "silent" }, 64);
const stop = startWaitDispatch(hub);
afterAll(stop);

const PNG = Buffer.from("\x89PNG\r\n\x1a\npicture", "latin1");
const picture: ProviderOutput = { mediaType: "image/png", read: (store) => store(contentOf(PNG)) };
async function* contentOf(content: Buffer) {
  yield content;
}

test("many jobs of a provider that takes four at once all succeed, and it never refuses one", async () => {
  const upstream = createUpstream();
  let inFlight = 0;
  let most = 0;
  upstream.respond = async () => {
    if (inFlight >= MAX_IN_FLIGHT) return refusedBecause("capacity", { upstreamStatus: 429 });
    inFlight += 1;
    most = Math.max(most, inFlight);
    // Lets others arrive meanwhile.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    inFlight -= 1;
    return { state: "succeeded", outputs: [picture] };
  };
  hub.providers = { replicate: upstream.provider };
  hub.catalogue = routedCatalogue([{ provider: "narrow", limits: { maxInFlight: MAX_IN_FLIGHT } }]);
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => createPayer(hub)));
  for (let job = 0; job < JOBS; job += 1) {
    const account = accounts[job % ACCOUNTS]!;
    const id = await queueRouted(hub, account);
    hub.publish({ name: "generation/queued", data: { id, account } });
  }
  const count = async (sql: string) => Number((await hub.db.query<{ count: bigint }>(sql))[0]!.count);
  const succeeded = () => count("SELECT count(*) FROM generation WHERE status = 'succeeded'");
  await expect.poll(succeeded, { timeout: soakCount(25_000, 250_000), interval: 100 }).toBe(JOBS);
  expect(most).toBeLessThanOrEqual(MAX_IN_FLIGHT);
  expect(upstream.submits).toHaveLength(JOBS);
  expect(await count("SELECT count(*) FROM attempt WHERE outcome <> 'succeeded'")).toBe(0);
  expect(await count("SELECT count(*) FROM route_wait")).toBe(0);
  expect((await runAudit(hub.db)).violations).toEqual([]);
});
