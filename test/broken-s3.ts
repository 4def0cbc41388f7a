import type { ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { openS3Storage } from "../server/storage/s3";
import { reservePort } from "./reserve-port";
import { serveRequests } from "./serve-requests";

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
  const endpoint = failure === null ? `http://127.0.0.1:${await reservePort()}` : await serveFailure(failure);
  return openS3Storage({
    bucket: "files",
    region: "eu-central-1",
    forcePathStyle: true,
    prefix: "",
    endpoint,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
}

const serveFailure = (failure: [number, string] | "reset"): Promise<string> =>
  serveRequests((request, response) => {
    if (failure === "reset") request.socket.destroy();
    else request.resume().on("end", () => sendError(response, failure));
  });

function sendError(response: ServerResponse, [status, code]: [number, string]) {
  response.writeHead(status, { "content-type": "application/xml" }).end(code && xml(code));
}

const PAGE = "<!doctype html><title>Welcome</title>";

type Respond = (request: { method: string; body: Buffer }, response: ServerResponse) => void;

const sendPage: Respond = (_, response) => {
  response.writeHead(200, { "content-type": "text/html", "content-length": PAGE.length }).end(PAGE);
};
const confirm = (response: ServerResponse, headers: Record<string, string | number>) =>
  response.writeHead(200, headers).end();

/** Storages that confirm writes that they do not keep. */
export const storageLies: [name: string, respond: Respond][] = [
  ["a proxy that sends a page for everything", sendPage],
  [
    "a storage without ETags that keeps nothing",
    ({ method }, response) => (method === "PUT" ? confirm(response, {}) : response.writeHead(404).end()),
  ],
  [
    "a storage with an ETag of its own that keeps nothing",
    ({ method }, response) =>
      method === "PUT" ? confirm(response, { etag: '"mine"' }) : response.writeHead(404).end(),
  ],
  [
    "a storage that keeps one byte less",
    ({ method }, response) =>
      confirm(response, { etag: '"mine"', "content-length": method === "HEAD" ? CONTENT.length - 1 : 0 }),
  ],
];

/** The content that a storage declares and does not send in full. */
export const CONTENT = Buffer.alloc(100_000, "content");

/** The ways in which a storage sends less than `CONTENT`. */
export const truncations: [name: string, respond: Respond][] = [
  ["sends a page", sendPage],
  ["declares less", (_, response) => response.writeHead(200, { etag: '"e"', "content-length": 10 }).end("0123456789")],
  [
    "cuts the connection",
    (_, response) => {
      response.writeHead(200, { etag: '"e"', "content-length": CONTENT.length });
      response.write(CONTENT.subarray(0, 50_000), () => response.destroy());
    },
  ],
  [
    "stalls",
    (_, response) => {
      response.writeHead(200, { etag: '"e"', "content-length": CONTENT.length });
      response.write(CONTENT.subarray(0, 50_000));
    },
  ],
];

/** Opens a hub's storage on a server that responds in this way. */
export async function openLyingStorage(respond: Respond, silenceMs?: number) {
  const endpoint = await serveRequests((request, response) => {
    void buffer(request).then((body) => respond({ method: request.method!, body }, response));
  });
  return openS3Storage({
    bucket: "files",
    region: "eu-central-1",
    forcePathStyle: true,
    prefix: "",
    silenceMs,
    endpoint,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
}
