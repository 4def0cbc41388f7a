import type { RequestContext } from "./request-context";

/** Runs a request in a span, which continues the trace of its client; without a span while traces are off. */
export function runInRequestSpan(
  context: RequestContext,
  request: Request,
  handle: () => Promise<Response>,
): Promise<Response> {
  const { tracing } = context.hub;
  if (!tracing) return handle();
  const { operation, method, requestId } = context;
  const attributes = { "http.request.method": method, "hub.operation": operation, "hub.request_id": requestId };
  const parent = request.headers.get("traceparent");
  return tracing.run({ name: operation, kind: "server", attributes, parent }, async () => {
    context.traceId = tracing.traceId();
    const response = await handle();
    tracing.annotate({ "http.response.status_code": response.status, "hub.account_id": context.accountId });
    return response;
  });
}
