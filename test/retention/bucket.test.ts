import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { expireFiles } from "../../server/domain/files";
import { callApi, type Request } from "../api/call";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { openRealBucket } from "../versitygw";
import { findText } from "./find-text";

const { env, keys } = await openRealBucket();
const host = await openRunningHost({ ...env, SANDBOX: "on" });
const { hub } = host;
const client = new S3Client({
  endpoint: env.STORAGE_S3_ENDPOINT,
  region: "us-east-1",
  credentials: { accessKeyId: env.STORAGE_S3_ACCESS_KEY_ID, secretAccessKey: env.STORAGE_S3_SECRET_ACCESS_KEY },
  forcePathStyle: true,
});

/** Returns the objects of the bucket whose name or content has a text. */
async function findObjects(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const key of await keys()) {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: env.STORAGE_S3_BUCKET, Key: key }));
    const content = Buffer.from(await Body!.transformToByteArray());
    if (key.includes(text) || content.includes(text)) found.push(key);
  }
  return found;
}

test("after an erasure no object of the bucket has the content, and only tombstones are left", async () => {
  const canary = "canarybucket4711";
  const { key } = await newCustomer(hub, { credit: 100 });
  const call = (method: string, path: string, request: Request = {}) =>
    callApi(host, method, path, { key, ...request });
  const form = new FormData();
  form.set("file", new Blob([`a text ${canary}`], { type: "text/plain" }), `${canary}.txt`);
  const headers = { authorization: `Bearer ${key}` };
  const upload = await fetch(`${host.url}/api/v1/hub/files`, { method: "POST", headers, body: form });
  expect(upload.status).toBe(201);
  const { id: fileId } = (await upload.json()) as { id: string };
  const { body } = await call("POST", "/api/v1/hub/generations", {
    body: { model: "sandbox-image", input: { prompt: canary } },
    headers: { prefer: "wait=30" },
  });
  expect(body.status).toBe("succeeded");
  const [output] = body.outputs as { url: string }[];
  expect((await call("GET", `${new URL(output!.url).pathname}?w=128`)).status).toBe(200);
  expect(await findObjects(canary)).not.toEqual([]);

  expect((await call("DELETE", `/api/v1/hub/generations/${String(body.id)}`)).status).toBe(204);
  expect((await call("DELETE", `/api/v1/hub/files/${fileId}`)).status).toBe(204);
  await expireFiles(hub, 100);
  expect(await findObjects(canary)).toEqual([]);
  expect((await keys()).filter((name) => !name.includes("tombstones/"))).toEqual([]);
  expect(await findText(hub, canary)).toEqual([]);
  expect((await runAudit(hub.db, { isFull: true })).violations).toEqual([]);
});
