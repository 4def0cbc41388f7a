import { createHash, randomBytes } from "node:crypto";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import path from "node:path";
import { expect, test } from "vitest";
import { startHub } from "../../e2e/server";
import { runAudit } from "../../server/domain/audit/audit";
import { expireFiles } from "../../server/domain/files/expire";
import { newCustomer } from "../api/customer";
import { formEnd, formStart, formType } from "../api/form";
import { testHub } from "../hub";
import { listFileNames } from "../list-file-names";
import { createRandom } from "../random";
import { seed, soakCount } from "../soak";

const UPLOADS = 20;
const MEBIBYTES = soakCount(5, 50);
const KILLS = soakCount(1, 50);
const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const HIGH_LIMITS = {
  RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
  RATE_LIMIT_READS_PER_MINUTE: "1000000",
  LOG_LEVEL: "error",
};

type File = Record<"id" | "sha256", string>;

/** Uploads a generated text of so many bytes. */
function upload(
  { url, key }: { url: string; key: string },
  size: number,
): Promise<{ status: number; body: File; sha256: string }> {
  const hash = createHash("sha256");
  return new Promise((resolve, reject) => {
    const asking = request(
      `${url}/api/v1/hub/files`,
      { method: "POST", headers: { authorization: `Bearer ${key}`, "content-type": formType } },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString())).once("error", reject);
        response.once("end", () =>
          resolve({ status: response.statusCode!, body: JSON.parse(text) as File, sha256: hash.digest("hex") }),
        );
      },
    );
    asking.once("error", reject).write(formStart());
    const write = (remaining: number) => {
      if (remaining === 0) return void asking.end(formEnd);
      const chunk = Buffer.from(randomBytes(Math.ceil(Math.min(remaining, MIB) / 2)).toString("hex")).subarray(
        0,
        remaining,
      );
      hash.update(chunk);
      asking.write(chunk, () => write(remaining - chunk.length));
    };
    write(size);
  });
}

/** Memory of a process in bytes: now (VmRSS) or at its highest (VmHWM). */
const memory = (pid: number, name: "VmRSS" | "VmHWM") =>
  Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;

test(
  `${UPLOADS} concurrent uploads of ${MEBIBYTES} MiB arrive unchanged, with less than 100 MB of memory`,
  async () => {
    const hub = await startHub({ env: HIGH_LIMITS });
    try {
      await upload(hub, MEBIBYTES * MIB);
      const before = memory(hub.child.pid!, "VmRSS");
      const stored = await Promise.all(Array.from({ length: UPLOADS }, () => upload(hub, MEBIBYTES * MIB)));
      for (const { status, body, sha256 } of stored) {
        expect({ status, ...body }).toMatchObject({ status: 201, size: MEBIBYTES * MIB, sha256 });
      }
      const grown = memory(hub.child.pid!, "VmHWM") - before;
      process.stdout.write(`memory grew by ${(grown / MIB).toFixed(0)} MiB at its peak\n`);
      expect(grown).toBeLessThan(100e6);
    } finally {
      await hub.stop();
    }
  },
  soakCount(60_000, 300_000),
);

test(
  `after ${KILLS} kills during uploads, confirmed files exist, and the sweep leaves no orphan`,
  async () => {
    const own = await testHub();
    const { account, key } = await newCustomer(own);
    const env = { ...HIGH_LIMITS, DATABASE_URL: own.databaseUrl, HUB_SECRET: own.secret, DATABASE_POOL_SIZE: "5" };
    const roll = createRandom(seed);
    const answered = new Map<string, string>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const hub = await startHub({ env, dataDir: own.folder });
      const { url } = hub;
      const send = async () => {
        for (;;) {
          const { status, body, sha256 } = await upload({ url, key }, Math.floor(roll() * MIB) + 1);
          if (status === 201) answered.set(body.id, sha256);
        }
      };
      const ongoing = Promise.allSettled(Array.from({ length: 6 }, send));
      const before = answered.size;
      await expect.poll(() => answered.size, { timeout: 20_000, interval: 1 }).toBeGreaterThan(before);
      await new Promise((resolve) => setTimeout(resolve, roll() * 300));
      await hub.kill9();
      await ongoing;
    }
    for (const [id, sha256] of answered) {
      const content = await own.storage.open(id);
      const hash = createHash("sha256");
      for await (const chunk of content!) hash.update(chunk as Buffer);
      expect(hash.digest("hex")).toBe(sha256);
    }

    own.clock.advance(HOUR_MS + 60_000);
    await expireFiles(own, 10_000);
    const contents = await listFileNames(path.join(own.folder, "files"));
    const rows = await own.db.prisma.file.findMany({ where: { accountId: account } });
    expect(rows.filter(({ storedAt }) => storedAt === null)).toEqual([]);
    expect(contents.sort()).toEqual(rows.map(({ id }) => id).sort());
    expect((await runAudit(own.db)).violations).toEqual([]);
  },
  soakCount(60_000, 900_000),
);

const volume = ["unshare", "-rm", "sh", "-c"] as const;
// Only Linux lets a test mount a volume, and not in every environment.
const mayMount = spawnSync(volume[0], [...volume.slice(1), "mount -t tmpfs tmpfs /mnt"]).status === 0;

test.skipIf(!mayMount)(
  "with a full volume, an upload responds with 503 and leaves nothing",
  { timeout: 60_000 },
  async () => {
    const own = await testHub();
    const { account, key } = await newCustomer(own);
    const hub = await startHub({
      env: { ...HIGH_LIMITS, DATABASE_URL: own.databaseUrl, HUB_SECRET: own.secret, LOG_LEVEL: "silent" },
      dataDir: own.folder,
      command: [...volume, `mount -t tmpfs -o size=36m tmpfs "$HUB_DATA_DIR/files" && exec node dist/main.js`],
    });
    try {
      const outcomes = [await upload({ url: hub.url, key }, MIB)];
      expect(outcomes[0]!.status).toBe(201);
      // The free space is cached for a moment, in which more uploads may fit.
      while (outcomes.at(-1)!.status === 201) outcomes.push(await upload({ url: hub.url, key }, MIB));
      expect(outcomes.at(-1)!.status).toBe(503);
      expect(outcomes.at(-1)!.body).toMatchObject({
        code: "service_unavailable",
        detail: "The storage is full. Try again soon.",
      });
      const rows = await own.db.prisma.file.findMany({ where: { accountId: account } });
      const stored = outcomes.filter(({ status }) => status === 201).map(({ body }) => body.id);
      expect(rows.map(({ id }) => id).sort()).toEqual(stored.sort());
      const contents = await listFileNames(path.join(`/proc/${hub.child.pid}/root`, own.folder, "files"));
      expect(contents.sort()).toEqual(stored);
      const headers = { authorization: `Bearer ${key}` };
      const removed = await fetch(`${hub.url}/api/v1/hub/files/${stored[0]}`, { method: "DELETE", headers });
      expect(removed.status).toBe(204);
    } finally {
      await hub.kill9();
    }
  },
);
