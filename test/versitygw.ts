import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import { afterAll } from "vitest";
import { openS3Storage } from "../server/storage/s3";
import { reservePort } from "./reserve-port";
import { openBucket } from "./s3";

const BUCKET = "files";
const credentials = { accessKeyId: "test", secretAccessKey: "a secret for tests" };

/** The command that installs versitygw. */
export const INSTALL_VERSITYGW = "go install github.com/versity/versitygw/cmd/versitygw@latest";

/** Returns the path of versitygw: what VERSITYGW_BIN names, or in the PATH or Go's folder; undefined when it is not installed. */
export function findVersitygw(): string | undefined {
  const { VERSITYGW_BIN, GOPATH = path.join(os.homedir(), "go"), PATH = "" } = process.env;
  const folders = [...PATH.split(path.delimiter), path.join(GOPATH, "bin")];
  const candidates = VERSITYGW_BIN ? [VERSITYGW_BIN] : folders.map((folder) => path.join(folder, "versitygw"));
  return candidates.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Opens a bucket of versitygw where it is installed, otherwise of a server in this process. */
export async function openRealBucket() {
  const binary = findVersitygw();
  return binary ? openVersitygw(binary) : openBucket();
}

/** Starts versitygw on a temporary folder, and opens the hub's storage in a bucket of it. */
export async function openVersitygw(binary: string) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-versitygw-"));
  const port = await reservePort();
  const { accessKeyId, secretAccessKey } = credentials;
  const args = ["--port", `127.0.0.1:${port}`, "--access", accessKeyId, "--secret", secretAccessKey, "posix", folder];
  const server = spawn(binary, args, { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const settings = { endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", credentials, forcePathStyle: true };
  // Retried until the server listens.
  const client = new S3Client({ ...settings, maxAttempts: 20 });
  const close = async () => {
    client.destroy();
    server.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  afterAll(close);
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  return {
    settings,
    /** Settings of a hub that stores its files here. */
    env: {
      STORAGE_S3_BUCKET: BUCKET,
      STORAGE_S3_ENDPOINT: settings.endpoint,
      STORAGE_S3_ACCESS_KEY_ID: accessKeyId,
      STORAGE_S3_SECRET_ACCESS_KEY: secretAccessKey,
      STORAGE_S3_FORCE_PATH_STYLE: "on",
    },
    storage: openS3Storage({ ...settings, bucket: BUCKET, prefix: "hub/" }),
    keys: async () => {
      const { Contents } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      return (Contents ?? []).map(({ Key }) => Key!);
    },
    close,
    unfinished: async () => {
      const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }));
      return (Uploads ?? []).map(({ Key }) => Key!);
    },
  };
}
