import { execFileSync } from "node:child_process";
import { statfs, truncate, writeFile } from "node:fs/promises";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { toServiceUnavailable } from "../../server/domain/health/to-service-unavailable";
import { openDiskStorage, MIN_FREE_BYTES } from "../../server/storage/disk";
import { measureStorage } from "../../server/storage/measure-storage";
import { callApi } from "../api/call";
import { newCustomer } from "../api/customer";
import { openOwnHost } from "../api/hosts";

const folder = mkdtempSync(path.join(os.tmpdir(), "hub-full-"));
const isMounted = mountSmallDisk();
afterAll(() => {
  if (isMounted) execFileSync("umount", ["--lazy", folder]);
  rmSync(folder, { recursive: true, force: true });
});

function mountSmallDisk(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${2 * MIN_FREE_BYTES}`, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write("skipped: a full disk needs root and the right to mount\n");
    return false;
  }
}

const upload = () => {
  const form = new FormData();
  form.append("file", new Blob(["a small text"]), "note.txt");
  return form;
};

test.runIf(isMounted)(
  "with a full disk, requests are rejected before they are accepted, and files can be deleted",
  async () => {
    const host = await openOwnHost();
    host.hub.storage = await openDiskStorage(path.join(folder, "files"));
    const { key } = await newCustomer(host.hub);
    const headers = { authorization: `Bearer ${key}` };
    const send = () => fetch(`${host.url}/api/v1/hub/files`, { method: "POST", headers, body: upload() });
    const { id } = (await (await send()).json()) as { id: string };

    const filler = path.join(folder, "ballast");
    const { bfree, bsize } = await statfs(folder);
    await writeFile(filler, Buffer.alloc(bfree * bsize - MIN_FREE_BYTES / 2));
    host.hub.storage = measureStorage(await openDiskStorage(path.join(folder, "files")), host.hub.metrics, null);
    const body = { model: "sandbox-image", input: { prompt: "a hill" } };
    const create = await callApi(host, "POST", "/api/v1/hub/generations", { key, body });
    expect(create.body).toMatchObject({ status: 503, code: "service_unavailable" });
    expect(Number(create.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await send()).status).toBe(503);
    expect(host.hub.metrics.registry.render()).toMatch(/hub_storage_errors_total\{verb="checkRoom"\} [1-9]/);
    const list = await callApi(host, "GET", "/api/v1/hub/generations", { key });
    expect(list.body).toMatchObject({ data: [] });
    expect((await fetch(`${host.url}/api/v1/hub/files/${id}`, { method: "DELETE", headers })).status).toBe(204);

    await truncate(filler, 0);
    expect((await callApi(host, "POST", "/api/v1/hub/generations", { key, body })).status).toBe(202);
  },
);

test("deletes a file although the database has no space to record it", async () => {
  const host = await openOwnHost();
  const { key } = await newCustomer(host.hub);
  const headers = { authorization: `Bearer ${key}` };
  const sent = await fetch(`${host.url}/api/v1/hub/files`, { method: "POST", headers, body: upload() });
  const { id } = (await sent.json()) as { id: string };
  // Raises a real 53100 in Postgres, only the first time, because a sequence is not rolled back.
  for (const statement of [
    "CREATE SEQUENCE writes",
    `CREATE FUNCTION refuse_first() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN
       IF nextval('writes') = 1 THEN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END IF;
       RETURN NEW;
     END $$`,
    "CREATE TRIGGER full_disk BEFORE UPDATE ON file FOR EACH ROW EXECUTE FUNCTION refuse_first()",
  ])
    await host.hub.db.query(statement);
  expect((await fetch(`${host.url}/api/v1/hub/files/${id}`, { method: "DELETE", headers })).status).toBe(204);
  expect(await host.hub.storage.open(id)).toBeNull();
});

test.each(["53100", "08006", "57P01", "57P03"])("turns Postgres' %s into a 503 with Retry-After", (code) => {
  const error = Object.assign(new Error("could not extend file"), { code });
  expect(toServiceUnavailable(error)).toMatchObject({ status: 503, headers: { "Retry-After": "2" } });
});
