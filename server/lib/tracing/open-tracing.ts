import { AsyncLocalStorage } from "node:async_hooks";
import type * as Otel from "@opentelemetry/sdk-node";
import type { Env } from "../../env";
import type { Logger } from "../log";
import { VERSION } from "../version";
import type { SpanAttributes, SpanOptions, Tracing } from "./tracing";

type SpanContext = Otel.api.SpanContext;
type TraceSettings = Pick<Env, "OTEL_EXPORTER_OTLP_ENDPOINT" | "OTEL_SERVICE_NAME">;

const TRACER_NAME = "generation-hub";
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const EMPTY_ID = /^0+$/;
/** How long a stop waits for a receiver that does not respond. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Opens the traces of a process, which go to an OTLP receiver (docs/metrics.md). Returns null, and loads nothing,
 * without the setting.
 */
export async function openTracing(env: TraceSettings, log: Logger): Promise<Tracing | null> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return null;
  // The SDK reads the environment, which lacks values that come from files.
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: env.OTEL_EXPORTER_OTLP_ENDPOINT });
  const otel = await import("@opentelemetry/sdk-node");
  const { NodeSDK, resources, api } = otel;
  const report = (message: string) => log.warn({ reason: message.slice(0, 500) }, "traces could not be sent");
  const ignore = () => undefined;
  api.diag.setLogger(
    { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: api.DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const sdk = new NodeSDK({
    serviceName: env.OTEL_SERVICE_NAME,
    resource: resources.defaultResource().merge(resources.resourceFromAttributes({ "service.version": VERSION })),
    metricReaders: [],
    logRecordProcessors: [],
    textMapPropagator: null,
  });
  sdk.start();
  const tracer = api.trace.getTracer(TRACER_NAME, VERSION);
  // Next and Inngest would add spans of their own to a global tracer (decision 64).
  api.trace.disable();
  api.context.disable();
  return createTracing(otel, tracer, () => sdk.shutdown());
}

function createTracing({ api }: typeof Otel, tracer: Otel.api.Tracer, shutDown: () => Promise<void>): Tracing {
  const { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api;
  const contexts = new AsyncLocalStorage<Otel.api.Context>();
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  };
  const currentSpan = () => {
    const context = contexts.getStore();
    return context && trace.getSpan(context);
  };
  const setErrorType = (span: Otel.api.Span | undefined, type: string) =>
    void span?.setStatus({ code: SpanStatusCode.ERROR }).setAttribute("error.type", type);

  const startSpan = ({ name, kind = "internal", attributes, parent, link }: SpanOptions) => {
    const remote = parseTraceparent(parent);
    const linked = parseTraceparent(link);
    const outer = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : (contexts.getStore() ?? ROOT_CONTEXT);
    const links = linked ? [{ context: linked }] : [];
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: withoutAbsent(attributes), links }, outer);
    return { span, context: trace.setSpan(outer, span) };
  };

  return {
    run(options, work) {
      const { span, context } = startSpan(options);
      return contexts.run(context, async () => {
        try {
          return await work();
        } catch (error) {
          setErrorType(span, nameError(error));
          throw error;
        } finally {
          span.end();
        }
      });
    },
    annotate: (attributes) => void currentSpan()?.setAttributes(withoutAbsent(attributes)),
    setErrorType: (type) => type && setErrorType(currentSpan(), type),
    headers(): Record<string, string> {
      const span = currentSpan()?.spanContext();
      if (!span) return {};
      return { traceparent: `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}` };
    },
    traceId: () => currentSpan()?.spanContext().traceId,
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_TIMEOUT_MS)));
      await Promise.race([shutDown().catch(() => undefined), timeout]);
      clearTimeout(timer);
    },
  };
}

/** Returns the span that a `traceparent` names; null if it is not valid (W3C Trace Context, section 3.2). */
function parseTraceparent(value: string | null | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = (value && TRACEPARENT.exec(value)) || [];
  if (!traceId || !spanId || !flags || EMPTY_ID.test(traceId) || EMPTY_ID.test(spanId)) return null;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1, isRemote: true };
}

const withoutAbsent = (attributes: SpanAttributes = {}): Otel.api.Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** Returns the code of an error, or the name of its class; its message may have content of customers. */
function nameError(error: unknown): string {
  if (!(error instanceof Error)) return "_OTHER";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
