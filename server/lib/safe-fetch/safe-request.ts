import { Client, type Dispatcher } from "undici";
import { orAbort } from "./deadline";
import { openSocket, type Target } from "./open-socket";
import { toOutboundError } from "./outbound-error";
import { boundBody, readBody, tooLarge } from "./read-body";
import type { Scheme } from "./read-url";

const MAX_HEADER_BYTES = 16_384;

/** What may be asked of an address that somebody else gave us. */
export interface SafeRequest {
  method?: "GET" | "HEAD" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The whole exchange, from the look-up of the name to the last byte. */
  timeoutMs: number;
  /** The longest time between two chunks of the response, for exchanges whose `timeoutMs` is long. */
  silenceMs?: number;
  /** Bytes of the answer, counted after decompression. */
  maxBytes: number;
  /** What happens to more: an error, or the rest is left unread. */
  whenLarger?: "fail" | "cut";
  /** Schemes allowed; by default both. */
  schemes?: Scheme[];
  signal?: AbortSignal;
  /** Takes the content of an answer with status 200 as it comes; the body of the response is then empty. */
  store?: (content: AsyncIterable<Uint8Array>) => Promise<unknown>;
}

export interface SafeResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The one way out to an address that a customer gave. Redirects are answers, never followed. */
export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeResponse>;

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
    headersTimeout: request.silenceMs ?? 0,
    bodyTimeout: request.silenceMs ?? 0,
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
  const { statusCode: status } = answer;
  // The length of what is compressed says little about what it becomes.
  const length = headers["content-encoding"] || request.method === "HEAD" ? 0 : Number(headers["content-length"]);
  if (length > request.maxBytes && request.whenLarger !== "cut") throw tooLarge(request.maxBytes);
  const content = boundBody(answer.body, headers["content-encoding"], request);
  if (!request.store || status !== 200) return { status, headers, body: await readBody(content) };
  await request.store(content);
  return { status, headers, body: Buffer.alloc(0) };
}

const flatten = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
