import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { DoubleResponse, SubmitFault } from "./double";

/** Sends a double's response; a body that breaks off breaks the connection. */
export function sendResponse(outgoing: ServerResponse, { status, headers, body }: DoubleResponse): void {
  if (isStream(body)) {
    outgoing.writeHead(status, headers);
    void pipeline(body, outgoing).catch(() => outgoing.destroy());
    return;
  }
  const bytes = toBytes(body);
  outgoing.writeHead(status, {
    "content-type": contentType(body),
    "content-length": String(bytes.length),
    ...headers,
  });
  outgoing.end(bytes);
}

/** Errors of input may repeat it with its files. */
const LONG_BODY = { input: "x".repeat(2 * 1024 * 1024) };

/** Sends the response to a rejected submit, as its fault wants it. */
export function sendRejection(
  outgoing: ServerResponse,
  response: DoubleResponse,
  fault: SubmitFault | undefined,
): void {
  if (fault === "422 and a reset") return sendHalf(outgoing, response, false);
  const headers: Record<string, string> = fault === "429 with Retry-After" ? { "retry-after": "1" } : {};
  sendResponse(outgoing, { ...response, headers, ...(fault === "422 with a long body" && { body: LONG_BODY }) });
}

/** Sends the response to an accepted submit, or the part that a fault leaves of it. */
export function sendFaulty(outgoing: ServerResponse, response: DoubleResponse, fault: SubmitFault | undefined): void {
  const { status } = response;
  if (fault === "garbage") return sendResponse(outgoing, { status, body: Buffer.from("<html>nginx</html>") });
  if (fault === "half of the JSON" || fault === "reset within the response")
    return sendHalf(outgoing, response, fault === "half of the JSON");
  return sendResponse(outgoing, response);
}

function sendHalf(outgoing: ServerResponse, { status, headers, body }: DoubleResponse, isComplete: boolean): void {
  const bytes = toBytes(body);
  const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
  const length = isComplete ? half.length : bytes.length;
  outgoing.writeHead(status, { "content-type": contentType(body), ...headers, "content-length": String(length) });
  if (isComplete) outgoing.end(half);
  else outgoing.write(half, () => outgoing.socket?.destroy());
}

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;
const toBytes = (body: unknown): Buffer =>
  Buffer.isBuffer(body) ? body : Buffer.from(body === undefined ? "" : JSON.stringify(body));
const contentType = (body: unknown): string =>
  Buffer.isBuffer(body) ? "application/octet-stream" : "application/json";
