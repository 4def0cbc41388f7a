import { readdir, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { auditFiles, type FileAudit } from "../../server/domain/audit/audit-files";
import { createAccount } from "../../server/domain/people/create-account";
import { openBrokenStorage } from "../broken-s3";
import { testHub } from "../hub";
import { insertFile } from "../insert-file";
import { openRealBucket } from "../versitygw";

const describeIssues = ({ violations }: FileAudit) =>
  violations.map(({ subject, message }) => `${subject} ${message}`).sort();

test("finds contents that are missing or have another size, and by reading others of the same size", async () => {
  const hub = await testHub();
  const account = await createAccount(hub, { email: "a@example.org" });
  const insert = (n: number) => insertFile(hub, account, `content ${n}`);
  const [missing, short, other, removed] = [await insert(0), await insert(1), await insert(2), await insert(3)];
  await insert(4);
  const folder = path.join(hub.folder, "files");
  const names = await readdir(folder, { recursive: true });
  const pathOf = (id: string) =>
    path.join(
      folder,
      names.find((name) => name.endsWith(id))!,
    );
  await truncate(pathOf(short), 3);
  await writeFile(pathOf(other), "CONTENT 2");
  await hub.storage.remove(missing);
  await hub.storage.remove(removed);
  await hub.db.query("UPDATE file SET removed_at = now() WHERE id = $1", [removed]);

  const bySize = [`file ${missing} has no content`, `file ${short} has 3 bytes instead of 9`];
  const all = await auditFiles(hub, { count: "all", isFull: false });
  expect([describeIssues(all), all.files, all.bytes]).toEqual([bySize.sort(), 4, 36]);
  const full = describeIssues(await auditFiles(hub, { count: "all", isFull: true }));
  const byHash = expect.stringContaining(`file ${other} has content with the hash`) as string;
  expect(full).toHaveLength(3);
  expect(full).toEqual(expect.arrayContaining([...bySize, byHash]));
  expect((await auditFiles(hub, { count: 2, isFull: false })).files).toBe(2);
});

test("compares a bucket with the rows, and fails while the bucket is unavailable instead of reporting a violation", async () => {
  const bucket = await openRealBucket();
  const hub = await testHub(bucket.env);
  const account = await createAccount(hub, { email: "a@example.org" });
  await insertFile(hub, account, "kept");
  const lost = await insertFile(hub, account, "lost");
  await hub.storage.remove(lost);
  const audit = await auditFiles(hub, { count: "all", isFull: true });
  expect([audit.files, describeIssues(audit)]).toEqual([2, [`file ${lost} has no content`]]);
  hub.storage = await openBrokenStorage(null);
  await expect(auditFiles(hub, { count: 1, isFull: false })).rejects.toMatchObject({ name: "StorageUnavailable" });
});
