import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { type Customer, newCustomer } from "../api/customer";
import { testHub } from "../hub";
import { listFileNames } from "../list-file-names";
import { upload } from "./upload";

const UPLOADS = 20;
const MEBIBYTES = 50;
const MIB = 1024 * 1024;

const volume = ["unshare", "-rm", "sh", "-c"] as const;
// Only Linux lets a test mount a volume, and not in every environment.
const mayMount = spawnSync(volume[0], [...volume.slice(1), "mount -t tmpfs tmpfs /mnt"]).status === 0;
/** Has room for the large uploads, and for 36 MiB more. */
const mount = `mount -t tmpfs -o size=${(UPLOADS + 1) * MEBIBYTES + 36}m tmpfs "$HUB_DATA_DIR/files"`;

const own = await testHub();
let customer: Customer;
let hub: RunningHub;
beforeAll(async () => {
  customer = await newCustomer(own);
  hub = await startHub({
    env: {
      RATE_LIMIT_WRITES_PER_MINUTE: "1000000",
      DATABASE_URL: own.databaseUrl,
      HUB_SECRET: own.secret,
      LOG_LEVEL: "silent",
    },
    dataDir: own.folder,
    command: mayMount ? [...volume, `${mount} && exec node dist/main.js`] : undefined,
  });
});
afterAll(() => hub.kill9());

/** Uploads this many bytes, and remembers the files that were stored. */
async function store(size: number) {
  const answer = await upload({ url: hub.url, key: customer.key }, size);
  if (answer.status === 201) stored.push(answer.body.id);
  return answer;
}
const stored: string[] = [];

/** Memory of a process in bytes: now (VmRSS) or at its highest (VmHWM). */
const memory = (pid: number, name: "VmRSS" | "VmHWM") =>
  Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1024;

test(`${UPLOADS} concurrent uploads of ${MEBIBYTES} MiB arrive unchanged, with less than 100 MB of memory`, async () => {
  await store(MEBIBYTES * MIB);
  const before = memory(hub.child.pid!, "VmRSS");
  const answers = await Promise.all(Array.from({ length: UPLOADS }, () => store(MEBIBYTES * MIB)));
  for (const { status, body, sha256 } of answers) {
    expect({ status, ...body }).toMatchObject({ status: 201, size: MEBIBYTES * MIB, sha256 });
  }
  const grown = memory(hub.child.pid!, "VmHWM") - before;
  process.stdout.write(`memory grew by ${(grown / MIB).toFixed(0)} MiB at its peak\n`);
  expect(grown).toBeLessThan(100e6);
}, 300_000);

test.skipIf(!mayMount)("with a full volume, an upload responds with 503 and leaves nothing", async () => {
  const outcomes = [await store(MIB)];
  expect(outcomes[0]!.status).toBe(201);
  // The free space is cached for a moment, in which more uploads may fit.
  while (outcomes.at(-1)!.status === 201) outcomes.push(await store(MIB));
  expect(outcomes.at(-1)!.status).toBe(503);
  expect(outcomes.at(-1)!.body).toMatchObject({
    code: "service_unavailable",
    detail: "The storage is full. Try again soon.",
  });
  const rows = await own.db.prisma.file.findMany({ where: { accountId: customer.account } });
  expect(rows.map(({ id }) => id).sort()).toEqual(stored.toSorted());
  const contents = await listFileNames(path.join(`/proc/${hub.child.pid}/root`, own.folder, "files"));
  expect(contents.sort()).toEqual(stored.toSorted());
  const headers = { authorization: `Bearer ${customer.key}` };
  const removed = await fetch(`${hub.url}/api/v1/hub/files/${stored[0]}`, { method: "DELETE", headers });
  expect(removed.status).toBe(204);
});
