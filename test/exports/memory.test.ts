import { mkdtemp, open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import v8 from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { getArchive, openArchive } from "../../server/domain/exports/open-export";
import { makeExport } from "../../server/domain/exports/make-export";
import { startExport } from "../../server/domain/exports/export";
import { newConsoleUser } from "../console/console-user";
import { deriveHub } from "../derive-hub";
import { testHub } from "../hub";
import { isSoak, soakCount } from "../soak";
import { readZip } from "./read-zip";

const GENERATIONS = soakCount(400, 100_000);
const FILE_BYTES = 200 * 1024;
const MAX_GROWTH_MB = 200;
v8.setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const folder = await mkdtemp(path.join(os.tmpdir(), "hub-export-memory-"));
afterAll(() => rm(folder, { recursive: true }));

test(
  `${GENERATIONS} generations with as many files of 200 KiB need less than ${MAX_GROWTH_MB} MB`,
  async () => {
    const hub = await testHub();
    const { account, session } = await newConsoleUser(hub);
    await hub.db.query(
      `INSERT INTO generation (id, account_id, model, is_llm, status, input, estimated_cost, billed_cost, price, provider,
         timeout_seconds, created_at, started_at, completed_at, settled_at)
       SELECT ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'sandbox-image', false, 'succeeded',
         jsonb_build_object('prompt', repeat('a red fox ' || n, 40)), 0, 0, '{}', 'sandbox', 60, $2, $2, $2, $2
       FROM generate_series(1, $3::int) n`,
      [account, hub.now(), GENERATIONS],
    );
    await hub.db.query(
      `INSERT INTO file (id, account_id, generation_id, index, fence, media_type, size, sha256, created_at, stored_at, expires_at)
       SELECT ('11111111-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1,
         ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 0, 0, 'image/png', ${FILE_BYTES},
         sha256('zeros'), $2, $2, $3
       FROM generate_series(1, $4::int) n`,
      [account, hub.now(), new Date(hub.now().getTime() + 86_400_000), GENERATIONS],
    );
    const making = deriveHub(hub, { storage: { ...hub.storage, open: openZeros, put: putSparse } });
    await startExport(session);
    const peak = sampleMemory();
    expect(await makeExport(making, new AbortController().signal)).toBe(true);
    expect(peak()).toBeLessThan(MAX_GROWTH_MB);

    const [row] = await hub.db.query<{ id: string; entries: bigint }>("SELECT id, entries FROM account_export");
    expect(Number(row!.entries)).toBeGreaterThan(GENERATIONS);
    const archive = await getArchive(session, row!.id);
    expect(archive.size).toBeGreaterThan(GENERATIONS * FILE_BYTES);
    await putSparse("whole.zip", await openArchive(making, archive, { start: 0, end: archive.size - 1 }));
    const { bad, names, stored } = await readZip(partPath("whole.zip"));
    expect({ bad, stored }).toEqual({ bad: null, stored: GENERATIONS });
    expect(new Set(names).size).toBe(Number(row!.entries));
  },
  soakCount(60_000, 3_600_000),
);

/**
 * Returns a function that returns the peak growth of this process's memory in MB. Under `npm run soak` it is what the
 * process needs: V8 keeps garbage while there is memory, so garbage is collected before each sample.
 */
function sampleMemory(): () => number {
  const look = () => {
    if (isSoak) collectGarbage();
    return process.memoryUsage().rss;
  };
  const before = look();
  let highest = before;
  const timer = setInterval(() => (highest = Math.max(highest, look())), soakCount(20, 1_000));
  // Also if the test fails: later tests of this process would wait for each collection.
  onTestFinished(() => clearInterval(timer));
  return () => (highest - before) / 1024 ** 2;
}

const zeros = Buffer.alloc(64 * 1024);
const partPath = (key: string) => path.join(folder, key);

/** Opens a part, or the content of a file: zeros that nobody has written. */
async function openZeros(key: string, range?: { start: number; end: number }, size?: number): Promise<Readable> {
  if (!key.startsWith("11111111")) return (await open(partPath(key))).createReadStream(range);
  return Readable.from(
    (function* () {
      for (let left = size!; left > 0; left -= zeros.length) yield zeros.subarray(0, Math.min(left, zeros.length));
    })(),
    { objectMode: false },
  );
}

/** Writes a part without its zeros, which take no space on the disk. */
async function putSparse(key: string, content: AsyncIterable<Uint8Array>) {
  const handle = await open(partPath(key), "w");
  let size = 0;
  for await (const chunk of content) {
    const isEmpty = zeros.subarray(0, chunk.length).equals(chunk);
    if (!isEmpty) await handle.write(chunk, 0, chunk.length, size);
    size += chunk.length;
  }
  await handle.truncate(size);
  await handle.close();
  return { size, sha256: Buffer.alloc(32) };
}
