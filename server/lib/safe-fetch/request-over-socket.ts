import { Client, type Dispatcher } from "undici";
import { orAbort } from "./deadline";
import { openSocket, type Target } from "./dial";
import { toOutboundError } from "./explain";
import { boundBody, readBody } from "./read-body";
import type { SafeRequest, SafeResponse } from "./safe-request";

const MAX_HEADER_BYTES = 16_384;

/** Sends one request on its own connection, so that no customer's server ever sees or answers another one's. */
export async function requestOverSocket(
  target: Target,
  request: SafeRequest,
  signal: AbortSignal,
): Promise<SafeResponse> {
  const socket = await openSocket(target, signal).catch((error) => {
    throw toOutboundError(error, "unreachable");
  });
  const client = new Client(target.url.origin, {
    maxHeaderSize: MAX_HEADER_BYTES,
    // The deadline of the whole exchange is in the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
    // The client expects that a connection takes its time.
    connect: (_, done) => setImmediate(done, null, socket),
  });
  try {
    return await orAbort(sendRequest(client, target.url, request), signal);
  } catch (error) {
    throw toOutboundError(error, "broken");
  } finally {
    socket.destroy();
    await client.destroy();
  }
}

async function sendRequest(client: Client, url: URL, request: SafeRequest): Promise<SafeResponse> {
  const answer = await client.request({
    method: request.method ?? "GET",
    path: `${url.pathname}${url.search}`,
    headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
    body: request.body,
  });
  const headers = flatten(answer.headers);
  const content = boundBody(answer.body, headers["content-encoding"], request);
  const { statusCode: status } = answer;
  if (!request.store || status !== 200) return { status, headers, body: await readBody(content) };
  await request.store(content);
  return { status, headers, body: Buffer.alloc(0) };
}

const flatten = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
