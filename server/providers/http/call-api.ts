import type { FormData } from "undici";
import type { ProviderSettings } from "../../catalogue/model";
import type { JsonCodec } from "../../lib/json/codec";
import { type JsonBounds, JsonScanner } from "../../lib/json/scanner";
import { flattenHeaders } from "../../lib/safe-fetch";
import { withTimeout } from "../../lib/with-timeout";
import type { Started } from "../failure";
import type { ProviderIo } from "../provider";
import { type Api, findApiUrl } from "./api";
import { getConnection } from "./connection";
import { readResponseBody, ResponseTooLarge } from "./read-response-body";
import { wasNeverSent } from "./never-sent";

export interface ApiRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE";
  /** A path below the base URL, or an absolute URL that a response gave. */
  url: string;
  headers?: Record<string, string>;
  /** The body: a JSON value, a form, or bytes, whose media type is a header of the request. */
  json?: unknown;
  form?: FormData;
  bytes?: Buffer;
  /** For the whole exchange; 30 seconds by default. */
  timeoutMs?: number;
  /** Bytes of a successful response; 1 MiB by default. */
  maxBytes?: number;
  /** Values in the JSON of the response; 50,000 by default. */
  maxValues?: number;
  /** Whether a successful response may be so large that the memory for it has to be reserved while it arrives. */
  isLarge?: boolean;
  /** Whether a response with status 200 is a file instead of JSON. */
  isFile?: boolean;
}

export interface ApiResponse {
  status: number;
  headers: Record<string, string>;
  /** The content of a file; the buffer of JSON was given away to be parsed. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The parsed body; undefined if it is not JSON within the bounds. */
  body: unknown;
}

/** Thrown when a request has no response, or a success that is incomplete or exceeds its bounds. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    /** Whether upstream may have begun the work. */
    readonly started: Exclude<Started, "yes">,
    message: string,
    /** Whether there is a response, which broke its bounds. */
    readonly isTooLarge = false,
    /** The seconds after which the response asks for the next request. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 1024 * 1024;
const MAX_VALUES = 50_000;
const FILE_BOUNDS = { maxDepth: Infinity, maxValues: Infinity };

/**
 * Sends one request to a provider's API, with its key, and returns the response whatever its status. Redirects are
 * responses. Never retries. Throws ApiError, or the reason of the caller's signal.
 */
export async function callApi(
  api: Api,
  provider: ProviderSettings,
  io: CallIo,
  request: ApiRequest,
): Promise<ApiResponse> {
  const url = findApiUrl(api, provider, request.url);
  if (!url) throw outsideOfApi();
  const headers = { ...io.traceHeaders, ...buildHeaders(api, provider), ...request.headers };
  try {
    const send = url.origin === getConnection(provider).origin ? sendOverPool : sendOverSafeFetch;
    const response = await withTimeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, io.signal, (signal) =>
      send({ ...request, url, headers, provider, io, signal }),
    );
    const isFile = request.isFile && response.status === 200;
    return { ...response, body: isFile ? undefined : await parseJson(io.json, response.bytes) };
  } catch (error) {
    io.signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    throw describeError(error);
  }
}

function describeError(error: unknown): ApiError {
  if (wasNeverSent(error)) return new ApiError("no", "The provider cannot be reached.");
  if (error instanceof ResponseTooLarge) return new ApiError("unknown", "The provider's response is too large.", true);
  return new ApiError("unknown", "The connection to the provider broke before its response was complete.");
}

/** Returns what the bytes say; undefined if they are not JSON. */
export async function parseJson(json: JsonCodec, bytes: Uint8Array<ArrayBuffer>): Promise<unknown> {
  try {
    return await json.parse(bytes, { fatal: false });
  } catch {
    return undefined;
  }
}

function buildHeaders({ authorize }: Api, { apiKey }: ProviderSettings): Record<string, string> {
  return {
    accept: "application/json",
    "user-agent": "generation-hub",
    ...(apiKey !== null && authorize(apiKey)),
  };
}

/** What a request needs; `reserveMemory` only for large responses. */
type CallIo = Pick<ProviderIo, "fetch" | "json" | "signal" | "traceHeaders"> &
  Partial<Pick<ProviderIo, "reserveMemory">>;

interface Call extends Omit<ApiRequest, "url" | "headers"> {
  url: URL;
  headers: Record<string, string>;
  provider: ProviderSettings;
  io: CallIo;
  signal: AbortSignal;
}

type RawResponse = Omit<ApiResponse, "body">;

async function sendOverPool(call: Call): Promise<RawResponse> {
  const { url, method = "GET", form, provider, io, signal, isFile, isLarge } = call;
  const { headers, body } = encodeBody(call);
  const path = `${url.pathname}${url.search}`;
  // `signal` is the only time limit, so undici's body timeout is off: a server may begin its response long before the work is
  // done.
  const request = { method, path, headers, body: body ?? form, bodyTimeout: 0, signal };
  const response = await getConnection(provider).pool.request(request);
  const received = flattenHeaders(response.headers);
  const isSuccess = response.statusCode >= 200 && response.statusCode < 300;
  const bounds = isFile && response.statusCode === 200 ? FILE_BOUNDS : jsonBounds(call);
  const maxBytes = isSuccess && call.maxBytes ? call.maxBytes : DEFAULT_MAX_BYTES;
  const reserve = (size: number) => io.reserveMemory!(size, signal).then(() => true);
  const read = readResponseBody(response, { ...bounds, maxBytes }, isSuccess && isLarge ? reserve : undefined);
  const bytes = await (isSuccess ? read : read.catch(() => ignoreBody(io.signal)));
  return { status: response.statusCode, headers: received, bytes };
}

/**
 * Returns an empty body for an error whose body cannot be read, for example because it repeats whole files: the status is enough.
 */
function ignoreBody(signal: AbortSignal): Uint8Array<ArrayBuffer> {
  signal.throwIfAborted();
  return new Uint8Array();
}

const jsonBounds = ({ maxValues = MAX_VALUES }: Call): JsonBounds => ({ maxDepth: 64, maxValues });

const encodeBody = ({ headers, json, bytes }: Call) =>
  json === undefined
    ? { headers, body: bytes }
    : { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(json) };

/** Sends a request to another host of the same maker, such as the regional one that has the job. Rejects forms and DELETE. */
async function sendOverSafeFetch(call: Call): Promise<RawResponse> {
  const { url, method = "GET", signal } = call;
  if (method === "DELETE" || call.form) throw outsideOfApi();
  const {
    status,
    headers: received,
    body,
  } = await call.io.fetch(url.href, {
    ...encodeBody(call),
    method,
    signal,
    schemes: ["https:"],
    timeoutMs: call.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    maxBytes: call.maxBytes ?? DEFAULT_MAX_BYTES,
  });
  const bytes = new Uint8Array(body);
  if (new JsonScanner(jsonBounds(call)).push(bytes)) throw new ResponseTooLarge();
  return { status, headers: received, bytes };
}

const outsideOfApi = () => new ApiError("no", "The provider returned a URL outside of its API.");
