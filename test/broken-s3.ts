import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";
import { openS3Storage } from "../server/storage/s3";
import { findFreePort } from "./cluster";

const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message></Error>`;

/** The ways in which a storage can fail: a status with S3's error code, or null if no server listens. */
export const storageFailures: [name: string, answer: [status: number, code: string] | "reset" | null][] = [
  ["a missing bucket", [404, "NoSuchBucket"]],
  ["a key without rights", [403, "AccessDenied"]],
  ["an unknown key", [403, "InvalidAccessKeyId"]],
  ["a wrong secret", [403, "SignatureDoesNotMatch"]],
  ["another region", [301, "PermanentRedirect"]],
  ["a storage that fails", [500, "InternalError"]],
  ["a storage that is busy", [503, "ServiceUnavailable"]],
  ["a proxy in front of nothing", [502, ""]],
  ["a storage that cuts connections", "reset"],
  ["a storage that is not there", null],
];

/** Opens a hub's storage on a server that answers every request in this way. */
export async function openBrokenStorage(failure: (typeof storageFailures)[number][1]) {
  const port = failure === null ? await findFreePort() : await listen(failure);
  return openS3Storage({
    ...{ bucket: "files", region: "eu-central-1", forcePathStyle: true, prefix: "" },
    endpoint: `http://127.0.0.1:${port}`,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
}

async function listen(failure: [number, string] | "reset"): Promise<number> {
  const server = createServer((request, response) => {
    if (failure === "reset") request.socket.destroy();
    else request.resume().on("end", () => sendError(response, failure));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function sendError(response: ServerResponse, [status, code]: [number, string]) {
  response.writeHead(status, { "content-type": "application/xml" }).end(code && xml(code));
}
