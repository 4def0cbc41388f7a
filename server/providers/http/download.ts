import type { ProviderSettings } from "../../catalogue/model";
import { isOutboundError } from "../../lib/safe-fetch";
import type { ProviderOutput } from "../job";
import type { ProviderIo } from "../provider";
import { ProviderError } from "../provider-error";
import { DownloadFailed } from "./download-failed";
import { type Api, isListedHost, parseResponseUrl } from "./api";
import { decodeDataUri } from "./data-uri";
import { getConnection } from "./connection";

const MAX_BYTES = 1024 ** 3 + 1;
const MAX_REDIRECTS = 5;
const MAX_DURATION_MS = 3_600_000;
const MAX_SILENCE_MS = 60_000;

/**
 * Returns the output behind a URL or data URI of a response. It is downloaded while it is stored, from the base URL's
 * origin or a listed host only, as are the targets of redirects; listed hosts never get the key. Throws ProviderError for
 * any other URL.
 */
export function downloadOutput(
  api: Api,
  provider: ProviderSettings,
  io: Pick<ProviderIo, "fetch" | "signal">,
  text: string,
  mediaType: string | null = null,
): ProviderOutput {
  if (text.startsWith("data:")) return decodeDataUri(text);
  const { origin } = getConnection(provider);
  const first = parseResponseUrl(text, origin);
  if (!isOutputUrl(api, provider, first)) throw outsideOfHosts();

  return {
    mediaType,
    async read(store) {
      let url: URL = first;
      for (let redirects = 0; ; redirects += 1) {
        const { status, location } =
          url.origin === origin
            ? await downloadFromPool(api, provider, url, io, store)
            : await downloadFromListedHost(url, io, store);
        if (status === 200) return;
        if (status < 300 || status >= 400) throw describeStatus(status);
        const next = parseResponseUrl(location, url.href);
        if (!isOutputUrl(api, provider, next) || redirects === MAX_REDIRECTS) throw outsideOfHosts();
        url = next;
      }
    },
  };
}

/** Returns whether outputs may be downloaded from a URL: at the base URL's origin, or over https at a listed host. */
export function isOutputUrl(api: Api, provider: ProviderSettings, url: URL | null): url is URL {
  if (url === null) return false;
  const isListed = url.protocol === "https:" && isListedHost(api.outputHosts, url.host);
  return isListed || url.origin === getConnection(provider).origin;
}

type Store = (content: AsyncIterable<Uint8Array>) => Promise<void>;

async function downloadFromListedHost(url: URL, { fetch, signal }: Pick<ProviderIo, "fetch" | "signal">, store: Store) {
  try {
    const request = { maxBytes: MAX_BYTES, timeoutMs: MAX_DURATION_MS, silenceMs: MAX_SILENCE_MS, signal, store };
    const { status, headers } = await fetch(url.href, { ...request, schemes: ["https:"] });
    return { status, location: headers.location };
  } catch (error) {
    if (!isOutboundError(error)) throw error;
    if (error.reason === "too_large") throw tooLarge();
    throw error.reason.startsWith("refused_") ? outsideOfHosts() : downloadFailed(error);
  }
}

/** Downloads from the origin that the operator named, which may be a private address. */
async function downloadFromPool(
  { authorize, outputsNeedKey }: Api,
  provider: ProviderSettings,
  url: URL,
  { signal }: Pick<ProviderIo, "signal">,
  store: Store,
) {
  const request = {
    method: "GET" as const,
    path: `${url.pathname}${url.search}`,
    headers: outputsNeedKey && provider.apiKey !== null ? authorize(provider.apiKey) : {},
    headersTimeout: MAX_SILENCE_MS,
    bodyTimeout: MAX_SILENCE_MS,
    signal,
  };
  const response = await getConnection(provider)
    .pool.request(request)
    .catch((cause: unknown) => {
      signal.throwIfAborted();
      throw downloadFailed(cause);
    });
  const { statusCode: status, body, headers } = response;
  const location = Array.isArray(headers.location) ? headers.location[0] : headers.location;
  try {
    // A response without a length is measured while it is stored.
    if (status === 200 && Number(headers["content-length"]) > MAX_BYTES) throw tooLarge();
    if (status === 200) await store(readBody(body));
  } finally {
    body.on("error", () => undefined).destroy();
  }
  return { status, location };
}

/** Passes a body through. Errors of the body become those of the download; errors of storing it are passed on unchanged. */
async function* readBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw downloadFailed(cause);
  }
}

const downloadFailed = (cause: unknown) => new DownloadFailed("an output's download broke off", { cause });

const outsideOfHosts = () =>
  new ProviderError({
    code: "invalid_output",
    message: "The provider named an output that the hub must not download.",
    retryable: false,
  });

const tooLarge = () =>
  new ProviderError({ code: "invalid_output", message: "An output is larger than 1 GiB.", retryable: false });

/** Returns the failure of a download that a retry cannot fix. Throws for any other, so that the run retries it. */
function describeStatus(status: number): ProviderError {
  if (status !== 403 && status !== 404 && status !== 410)
    throw new DownloadFailed(`an output's download failed with ${status}`);
  return new ProviderError({
    code: "invalid_output",
    message: "The provider no longer has the output.",
    retryable: true,
  });
}
