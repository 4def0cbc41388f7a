import { createConcurrencyLimit, type ConcurrencyLimit } from "../concurrency-limit";
import { withDeadline } from "./deadline";
import { findAddresses, hostAndPort, type Lookup, parseAllowlist } from "./find-addresses";
import { readUrl, type Scheme } from "./read-url";
import { closeConnection, createConnection, createKeptConnections } from "./connection";
import { openSocket } from "./open-socket";
import { OutboundError, toOutboundError } from "./outbound-error";
import { type SafeFetch, type SafeRequest, sendOverConnection } from "./safe-request";

export { readUrl, type Scheme } from "./read-url";
export { isOutboundError, OutboundError } from "./outbound-error";
export { flattenHeaders, type SafeFetch, type SafeRequest, type SafeResponse } from "./safe-request";

const LOOK_UP_MS = 5_000;

interface Settings {
  /** `host:port` pairs exempt from the public-address rule. */
  allowHosts: string[];
  lookup?: Lookup;
  /** The most requests that are under way at once. */
  maxConcurrent?: number;
  maxPerHost?: number;
  /** How long a connection is kept for the requests of one key. */
  maxAgeMs?: number;
}

/**
 * Returns a client for URLs that customers give: public addresses only, no redirects, no proxy, bounded in time and
 * bytes. It rejects with OutboundError, with the reason of the caller's own signal, or with what `store` threw.
 */
export function createSafeFetch({
  allowHosts,
  lookup,
  maxConcurrent = 256,
  maxPerHost = 32,
  maxAgeMs = 60_000,
}: Settings): SafeFetch {
  const allowlist = parseAllowlist(allowHosts);
  const limitByHost = createHostLimiter({ maxConcurrent, maxPerHost });
  const kept = createKeptConnections(maxAgeMs);

  const connect = async (url: URL, signal: AbortSignal, key?: string) => {
    const addresses = await findAddresses(url, { allowlist, lookup, signal });
    const tls = key && { session: kept.getSession(key), onSession: (one: Buffer) => kept.saveSession(key, one) };
    const socket = await openSocket({ url, addresses, ...tls }, signal).catch((error) => {
      throw toOutboundError(error, "unreachable");
    });
    return createConnection(url.origin, socket);
  };
  const send = async (url: URL, request: SafeRequest, signal: AbortSignal) => {
    // Never shared, so that no customer's server receives another one's request.
    const key = request.connectionKey && `${url.origin} ${request.connectionKey}`;
    const connection = (key && kept.take(key)) || (await connect(url, signal, key));
    const response = await sendOverConnection(connection, url, request, signal);
    await (key ? kept.keep(key, connection) : closeConnection(connection));
    return response;
  };
  return (text, request) =>
    withDeadline(request.timeoutMs, request.signal, async (signal, setDeadline) => {
      const url = readUrl(text, request.schemes ?? ["https:", "http:"]);
      const { maxWait } = request;
      if (maxWait) setDeadline(maxWait.ms, toNotSentError);
      const sendAdmitted = () => {
        if (maxWait) setDeadline();
        maxWait?.onEnd();
        return send(url, request, signal);
      };
      return limitByHost(url.host, sendAdmitted, signal);
    });
}

const toNotSentError = () => new OutboundError("not_sent", "Too many requests to this host are under way.");

/**
 * Returns a client for the server of a URL that the operator has chosen. Its address may be private, without being in reach of
 * customers' URLs.
 */
export const createServerFetch = (url: string): SafeFetch =>
  createSafeFetch({ allowHosts: [hostAndPort(new URL(url))] });

/** Throws OutboundError if the hub could not call a customer's URL now. Sends nothing to it. */
export function checkUrl(
  text: string,
  { schemes, allowHosts, lookup }: { schemes: Scheme[]; allowHosts: string[]; lookup?: Lookup },
): Promise<void> {
  return withDeadline(LOOK_UP_MS, undefined, async (signal) => {
    await findAddresses(readUrl(text, schemes), { allowlist: parseAllowlist(allowHosts), lookup, signal });
  });
}

/** Bounds how many requests are under way at once, in total and to one host, so that a slow one cannot take every place. */
function createHostLimiter({ maxConcurrent, maxPerHost }: { maxConcurrent: number; maxPerHost: number }) {
  const all = createConcurrencyLimit(maxConcurrent);
  const hosts = new Map<string, ConcurrencyLimit>();

  return async <T>(host: string, work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
    const limit = hosts.get(host) ?? createConcurrencyLimit(maxPerHost);
    hosts.set(host, limit);
    try {
      return await limit.run(() => all.run(work, signal), signal);
    } finally {
      if (limit.idle) hosts.delete(host);
    }
  };
}
