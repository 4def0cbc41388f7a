import { expect, test } from "vitest";
import { CONTENT, openBrokenStorage, openLyingStorage, storageFailures, storageLies, truncations } from "../broken-s3";
import { insertFile } from "../insert-file";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { formOf, formType } from "./form";
import { openOwnHost } from "./hosts";

const host = await openOwnHost();
const { key, account } = await newCustomer(host.hub);
const disk = host.hub.storage;
const upload = (content: Buffer) =>
  callApi(host, "POST", "/api/v1/hub/files", { key, body: formOf(content), headers: { "content-type": formType } });

test.each(storageFailures)(
  "%s: uploading, reading and deleting a file respond with 503 and Retry-After",
  async (_, answer) => {
    host.hub.storage = disk;
    const file = `/api/v1/hub/files/${await insertFile(host.hub, account, "content")}`;
    host.hub.storage = await openBrokenStorage(answer);
    const replies = [
      await upload(Buffer.from("small")),
      await upload(Buffer.alloc(12 * 1024 ** 2, "x")),
      await callApi(host, "GET", file, { key }),
      await callApi(host, "DELETE", file, { key }),
    ];
    for (const { status, body, headers } of replies) {
      expect([status, body.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  },
);

test.each(storageLies)("%s: an upload responds with 503 and leaves no file", async (_, respond) => {
  host.hub.storage = await openLyingStorage(respond);
  const { status, body } = await upload(CONTENT);
  expect([status, body.code]).toEqual([503, "service_unavailable"]);
  const list = await callApi(host, "GET", "/api/v1/hub/files?kind=upload", { key });
  expect((list.body.data as { size: number }[]).filter(({ size }) => size === CONTENT.length)).toEqual([]);
});

test.each(truncations)("a download from a storage that %s ends at once", async (_, respond) => {
  host.hub.storage = disk;
  const id = await insertFile(host.hub, account, CONTENT);
  host.hub.storage = await openLyingStorage(respond, 300);
  const headers = { authorization: `Bearer ${key}` };
  const startedAt = performance.now();
  const response = await fetch(`${host.url}/api/v1/hub/files/${id}`, { headers });
  const isWhole = await response.arrayBuffer().then(
    () => true,
    () => false,
  );
  // Before the first byte it is an error of the API, afterwards the connection is cut.
  expect({ status: response.status, isWhole }).toEqual(
    response.status === 503 ? { status: 503, isWhole: true } : { status: 200, isWhole: false },
  );
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
