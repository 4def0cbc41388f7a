import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createUnzip } from "node:zlib";
import type { Dispatcher } from "undici";
import { closeConnection, type Connection } from "./connection";
import { orAbort } from "./deadline";
import { OutboundError, toOutboundError } from "./outbound-error";
import type { Scheme } from "./read-url";

/** A request to an address that somebody else gave us. */
export interface SafeRequest {
  method?: "GET" | "HEAD" | "POST" | "PUT";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The whole exchange, from the look-up of the name to the last byte. */
  timeoutMs: number;
  /**
   * How long the request may wait until few enough others are under way, before it fails as `not_sent`, and what is called when
   * it need wait no longer. Without it, the wait counts in `timeoutMs`.
   */
  maxWait?: { ms: number; onEnd: () => void };
  /** The longest time between two chunks of the response, for exchanges whose `timeoutMs` is long. */
  silenceMs?: number;
  /** Bytes of the response, counted after decompression. */
  maxBytes: number;
  /**
   * What happens to a larger response: an error, or the rest is left unread. A response that may be cut is only shown, so an
   * encoding that is unknown or wrong is no error either.
   */
  whenLarger?: "fail" | "cut";
  /** Allowed schemes; both by default. */
  schemes?: Scheme[];
  signal?: AbortSignal;
  /** Keeps the connection open for the next request with the same key. */
  connectionKey?: string;
  /**
   * Receives the content of a response with status 200 as it arrives; the response's body is then empty. Its errors are those
   * of the request.
   */
  store?: (content: AsyncIterable<Uint8Array>) => Promise<unknown>;
}

export interface SafeResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The only way to call an address that a customer gave. Redirects are returned, never followed. */
export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeResponse>;

/** Sends one request. Afterwards the connection can be used again, unless its socket is destroyed. */
export async function sendOverConnection(
  connection: Connection,
  url: URL,
  request: SafeRequest,
  signal: AbortSignal,
): Promise<SafeResponse> {
  try {
    return await orAbort(sendRequest(connection, url, request), signal);
  } catch (error) {
    await closeConnection(connection);
    throw error;
  }
}

const throwBroken = (error: unknown): never => {
  throw toOutboundError(error, "broken");
};

async function sendRequest(connection: Connection, url: URL, request: SafeRequest): Promise<SafeResponse> {
  connection.isIdle = false;
  const options = {
    method: request.method ?? "GET",
    path: `${url.pathname}${url.search}`,
    headers: { "accept-encoding": "gzip, deflate, br", ...request.headers },
    body: request.body,
    // The deadline of the whole exchange is in the signal.
    headersTimeout: request.silenceMs ?? 0,
    bodyTimeout: request.silenceMs ?? 0,
  };
  const answer = await connection.client.request(options).catch(throwBroken);
  const headers = flattenHeaders(answer.headers);
  const { statusCode: status } = answer;
  // The compressed length says little about the decompressed one.
  const length = headers["content-encoding"] || request.method === "HEAD" ? 0 : Number(headers["content-length"]);
  if (length > request.maxBytes && request.whenLarger !== "cut") throw tooLarge(request.maxBytes);
  const content = boundBody(answer.body, headers["content-encoding"], request);
  const isStored = request.store !== undefined && status === 200;
  const body = isStored ? Buffer.alloc(0) : await readBody(content);
  if (isStored) await request.store!(content);
  connection.isIdle = answer.body.readableEnded;
  return { status, headers, body };
}

/** Returns the headers of a response with one value each. */
export const flattenHeaders = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );

/**
 * Passes a body on to its end or to `maxBytes` after decompression, where it fails or is cut. Its errors are OutboundError,
 * unlike those of who reads it.
 */
async function* boundBody(
  body: Readable,
  encoding: string | undefined,
  { maxBytes, whenLarger = "fail" }: { maxBytes: number; whenLarger?: "fail" | "cut" },
): AsyncGenerator<Buffer> {
  let remainingBytes = maxBytes;
  let last: Buffer | undefined;
  let isUndecodable = false;
  const content = decodeBody(body, encoding, whenLarger);
  // Called before the pipeline's own listener, which destroys the body with the decoder's error.
  content.prependOnceListener("error", () => (isUndecodable = !body.errored));
  try {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      if (chunk.length > remainingBytes) {
        if (whenLarger === "fail") throw tooLarge(maxBytes);
        last = chunk.subarray(0, remainingBytes);
        break;
      }
      yield chunk;
      remainingBytes -= chunk.length;
    }
  } catch (error) {
    if (whenLarger === "fail" || !isUndecodable) throwBroken(error);
  }
  // Yielded after the loop, which ends the decoder: otherwise it would keep filling its buffers meanwhile.
  if (last) yield last;
}

const tooLarge = (maxBytes: number) => new OutboundError("too_large", `The response is larger than ${maxBytes} bytes.`);

/** Returns all of a body at once. */
async function readBody(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function decodeBody(body: Readable, encoding = "identity", whenLarger: "fail" | "cut"): Readable {
  const decoder = decoders[encoding.trim().toLowerCase()];
  if (!decoder && whenLarger === "cut") return body;
  if (!decoder) throw new OutboundError("broken", "The response has an unknown content encoding.");
  const stream = decoder();
  return stream ? pipeline(body, stream, () => undefined) : body;
}

// HTTP's framing shows whether a body is complete, so an empty or truncated stream is not an error of the decoder.
const zlib = { finishFlush: constants.Z_SYNC_FLUSH };
const decoders: Record<string, (() => ReturnType<typeof createUnzip>) | (() => null)> = {
  identity: () => null,
  "": () => null,
  gzip: () => createUnzip(zlib),
  "x-gzip": () => createUnzip(zlib),
  deflate: () => createUnzip(zlib),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
};
