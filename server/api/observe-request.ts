import type { ServerResponse } from "node:http";
import type { Hub } from "../domain/hub";
import { OTHER } from "../lib/metrics/registry";
import { findRequestContext } from "./request-context";

/** What is counted for a client that left before it got a response. */
const CLIENT_LEFT = 499;

/**
 * Counts a request when its response ends, by its operation, and logs one line about it if the operator wants that.
 * `operation` is what a request without an operation of its own counts as.
 */
export function observeRequest(hub: Hub, response: ServerResponse, operation = OTHER): void {
  const startedAt = performance.now();
  response.once("close", () => {
    const context = findRequestContext(response);
    const durationMs = performance.now() - startedAt;
    const status = response.headersSent ? response.statusCode : CLIENT_LEFT;
    const labels = { operation: context?.operation ?? operation, code: String(status) };
    hub.metrics.httpRequests.add(labels);
    hub.metrics.httpRequestDuration.observe(labels, durationMs / 1000);
    if (hub.env.LOG_REQUESTS === "off") return;
    // Neither the path nor the query: both can have what only the caller should know, such as a signature.
    hub.log.info(
      {
        requestId: context?.requestId,
        operation: labels.operation,
        method: response.req.method,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        account: context?.accountId,
        trace_id: context?.traceId,
      },
      "request",
    );
  });
}
