import { createHash } from "node:crypto";
import path from "node:path";
import { expect } from "vitest";
import { newCustomer } from "../api/customer";
import { expireFiles } from "../../server/domain/files/expire";
import { upload } from "../files/upload";
import type { TestHub } from "../hub";
import { listFileNames } from "../list-file-names";

const CLIENTS = 6;
const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

/** Opens an account whose clients upload files. */
export async function openUploads(hub: TestHub, url: string, random: () => number) {
  const { key } = await newCustomer(hub);
  const confirmed = new Map<string, string>();
  const send = async () => {
    for (;;) {
      const { status, body, sha256 } = await upload({ url, key }, Math.floor(random() * MIB) + 1);
      if (status === 201) confirmed.set(body.id, sha256);
    }
  };
  return {
    /** Uploads until the hub is killed, which `ended` waits for. Resolves when the first file is confirmed. */
    async begin() {
      const before = confirmed.size;
      const ended = Promise.allSettled(Array.from({ length: CLIENTS }, send));
      await expect.poll(() => confirmed.size, { timeout: 20_000, interval: 1 }).toBeGreaterThan(before);
      return { ended };
    },

    /**
     * Expects that confirmed files are whole, and that the sweep of a stopped hub leaves neither a row without its file
     * nor a file without its row.
     */
    async expectFiles() {
      for (const [id, sha256] of confirmed) {
        const hash = createHash("sha256");
        for await (const chunk of (await hub.storage.open(id))!) hash.update(chunk as Buffer);
        expect(hash.digest("hex")).toBe(sha256);
      }
      hub.clock.advance(HOUR_MS + 60_000);
      await expireFiles(hub, 10_000);
      const contents = await listFileNames(path.join(hub.folder, "files"));
      const rows = await hub.db.prisma.file.findMany();
      expect(rows.filter(({ storedAt }) => storedAt === null)).toEqual([]);
      expect(contents.sort()).toEqual(rows.map(({ id }) => id).sort());
    },
  };
}
