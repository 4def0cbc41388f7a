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
      // server/storage/s3.test.ts tests a large upload with each of the failures.
      ...(answer === "reset" ? [await upload(Buffer.alloc(12 * 1024 ** 2, "x"))] : []),
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
  // Before the first byte, the API returns an error; after it, the connection is cut.
  expect({ status: response.status, isWhole }).toEqual(
    response.status === 503 ? { status: 503, isWhole: true } : { status: 200, isWhole: false },
  );
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test("while the storage is known to be unavailable, generations are rejected and chats are not", async () => {
  host.hub.storage = disk;
  const { key: own, account: owner } = await newCustomer(host.hub);
  const funds = async () => {
    const text = "SELECT balance, reserved FROM account WHERE id = $1";
    return (await host.hub.db.query<{ balance: bigint; reserved: bigint }>(text, [owner]))[0];
  };
  const before = await funds();
  host.hub.storage = await openBrokenStorage(null);
  expect((await upload(Buffer.from("small"))).status).toBe(503);
  const body = { model: "sandbox-image", input: { prompt: "a hill" } };
  const { status, body: problem, headers } = await callApi(host, "POST", "/api/v1/hub/generations", { key: own, body });
  expect([status, problem.code, problem.type]).toEqual([503, "service_unavailable", expect.any(String)]);
  expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  expect(await funds()).toEqual(before);
  const chat = { model: "sandbox-text", messages: [{ role: "user", content: "hello" }] };
  expect((await callApi(host, "POST", "/api/v1/hub/chat/completions", { key: own, body: chat })).status).toBe(200);
});
