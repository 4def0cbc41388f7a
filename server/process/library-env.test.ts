import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readEnv } from "../env";
import { findBucketOrigin } from "../lib/bucket-origin";
import { libraryEnv } from "./library-env";

const folder = await mkdtemp(path.join(os.tmpdir(), "hub-library-env-"));
afterAll(() => rm(folder, { recursive: true }));

test("pages find the bucket whose settings come from files", async () => {
  const endpoint = path.join(folder, "endpoint");
  await writeFile(endpoint, "https://s3.example.org\n");
  const settings = { FILES_REDIRECT: "on", STORAGE_S3_BUCKET: "hub", STORAGE_S3_ENDPOINT_FILE: endpoint };
  expect(findBucketOrigin(libraryEnv(readEnv(settings), false))).toBe("https://hub.s3.example.org");
});
