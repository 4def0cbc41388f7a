import { expect, test } from "vitest";
import { copyDataDir } from "../../e2e/data-dir";
import { type RunningHub, startHub } from "../../e2e/server";
import { createRandom } from "../random";
import { seed, soakCount } from "../soak";

const BATCHES = soakCount(1, 100);
const SIZE = soakCount(100, 1_000);
const PATH = "/api/v1/hub/batches";

const env = { RATE_LIMIT_WRITES_PER_MINUTE: "1000000", RATE_LIMIT_READS_PER_MINUTE: "1000000", LOG_LEVEL: "error" };
interface Batch {
  id: string;
  counts: Record<string, number>;
}

async function call<T>(
  hub: RunningHub,
  method: string,
  path: string,
  body?: object,
  key?: string,
): Promise<[number, T]> {
  const response = await fetch(hub.url + path, {
    method,
    headers: {
      authorization: `Bearer ${hub.key}`,
      "content-type": "application/json",
      ...(key !== undefined && { "idempotency-key": key }),
    },
    body: body && JSON.stringify(body),
  });
  return [response.status, (await response.json()) as T];
}

const inputs = Array.from({ length: SIZE }, (_, n) => ({ prompt: `picture ${n}` }));
const create = (hub: RunningHub, key: string) =>
  call<Batch & { batch_id?: string }>(hub, "POST", PATH, { model: "sandbox-image", inputs }, key);

test(
  `after a kill in each of ${BATCHES} batches, each is there once and whole`,
  async () => {
    const dataDir = await copyDataDir();
    const random = createRandom(seed);
    let hub = await startHub({ env, dataDir });
    const { key } = hub;
    const { port } = new URL(hub.url);
    const ids = new Set<string>();
    try {
      for (let n = 0; n < BATCHES; n += 1) {
        const first = create(hub, `batch-${n}`).catch(() => null);
        // From before the request arrives until after it was answered.
        for (let turns = Math.floor(random() * 60); turns > 0; turns -= 1) await fetch(`${hub.url}/api/v1/health`);
        await hub.kill9();
        const answered = await first;
        hub = await startHub({ env: { ...env, PORT: port }, dataDir });
        hub.key = key;
        const [status, body] = await create(hub, `batch-${n}`);
        expect([200, 202, 503]).toContain(status);
        const id = body.batch_id ?? body.id;
        if (answered?.[0] === 202) expect(id).toBe(answered[1].id);
        ids.add(id);
        const [, { counts }] = await call<Batch>(hub, "POST", `${PATH}/${id}/cancel`);
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(SIZE);
      }
      expect(ids.size).toBe(BATCHES);
      const [, list] = await call<{ data: Batch[] }>(hub, "GET", `${PATH}?limit=100`);
      expect(list.data.map(({ id }) => id).toSorted()).toEqual([...ids].toSorted());
      expect(await hub.cli("audit")).toMatchObject({ code: 0 });
    } finally {
      await hub.stop();
    }
  },
  soakCount(120_000, 3_600_000),
);
