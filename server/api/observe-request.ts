import type { ServerResponse } from "node:http";
import type { Hub } from "../context";
import { OTHER } from "../lib/metrics/registry";
import { findRequestContext } from "./request-context";

/** The status counted for a client that disconnected before a response. */
const CLIENT_LEFT = 499;

/**
 * Counts a request by its operation when its response ends, and logs it unless LOG_REQUESTS is off. `operation` is the
 * label of a request that has no operation of its own.
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
    // The path and query are not logged: both may contain secrets, such as a signature.
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
