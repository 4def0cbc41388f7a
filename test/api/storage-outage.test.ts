import { expect, test } from "vitest";
import { openBrokenStorage, storageFailures } from "../broken-s3";
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
