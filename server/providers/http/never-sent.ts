import { buildConnector } from "undici";

/** Errors of connections whose name, address or TLS handshake failed. */
const connectErrors = new WeakSet<Error>();
/** Reasons of OutboundError. */
const unsentReasons = new Set<unknown>(["refused_address", "refused_url", "unresolved", "unreachable"]);

/** Returns a connector for a pool, whose errors `wasNeverSent` recognizes. */
export function createConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs });
  return (options, callback) =>
    connect(options, (...result) => {
      if (result[0]) connectErrors.add(result[0]);
      callback(...result);
    });
}

/** Returns whether the name, the connection or the TLS handshake failed, so that no byte of the request was sent. */
export const wasNeverSent = (error: unknown): boolean =>
  error instanceof Error && (connectErrors.has(error) || unsentReasons.has((error as { reason?: unknown }).reason));
