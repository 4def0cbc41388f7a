import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Hub } from "../domain/hub";
import { renderMetrics } from "../domain/operations";
import { METRICS_CONTENT_TYPE } from "../lib/metrics/text-format";
import { OperatorError } from "../lib/operator-error";
import { isTrustedHost } from "../lib/private-name";

const LOOPBACK = "127.0.0.1";
const MAX_HEADER_WAIT_MS = 5_000;

interface MetricsServer {
  port: number;
  close(this: void): Promise<void>;
}

/**
 * Serves `/metrics` on a loopback port without a token; each process of a hub has its own. Rejects with an
 * OperatorError if the port is in use.
 */
export async function openMetrics(hub: Hub, port: number): Promise<MetricsServer> {
  const answer = createMetricsHandler(hub, null);
  const server = createServer({ headersTimeout: MAX_HEADER_WAIT_MS }, (request, response) => {
    // Without a token, a web page could read the metrics by DNS rebinding.
    if (!isTrustedHost(request.headers.host)) return sendText(response, 403, "Call this port by its address.\n");
    if (request.url?.split("?", 1)[0] === "/metrics") return answer(request, response);
    sendText(response, 404, "There is nothing at this path.\n");
  });
  await new Promise<void>((resolve, reject) => {
    const toSentence = (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE"
        ? new OperatorError(`Port ${port} is taken: stop what listens there, or set METRICS_PORT to another one.`)
        : error;
    server.once("error", (error) => reject(toSentence(error)));
    // Each process has its own port, which the cluster's parent must not share.
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => resolve());
  });
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the handler of `/metrics`. If a token is set, requests must send it as Bearer credential. */
export function createMetricsHandler(hub: Hub, token: string | null): RequestListener {
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      return sendText(response, 405, "This path supports GET, HEAD.\n", { Allow: "GET, HEAD" });
    if (token !== null && !hasToken(request, token))
      return sendText(response, 401, "Send METRICS_TOKEN as a Bearer token.\n", { "WWW-Authenticate": "Bearer" });
    renderMetrics(hub).then(
      (text) =>
        sendText(response, 200, request.method === "HEAD" ? "" : text, { "Content-Type": METRICS_CONTENT_TYPE }),
      (error: unknown) => {
        hub.log.error({ err: error }, "metrics could not be rendered");
        sendText(response, 500, "The metrics could not be read.\n");
      },
    );
  };
}

/** Returns whether a request has the token. Compares digests in constant time, which hides its length too. */
function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const sent = /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const digest = (value: string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(sent), digest(token));
}

function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  const common = {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  };
  response.writeHead(status, { ...common, ...headers });
  response.end(text);
}
