export type SpanAttributes = Record<string, string | number | boolean | string[] | undefined>;

export interface SpanOptions {
  name: string;
  /** `internal` by default. */
  kind?: "server" | "client" | "consumer" | "internal";
  attributes?: SpanAttributes;
  /** The W3C `traceparent` of another program that the span continues; ignored when it is not valid. */
  parent?: string | null;
  /** The `traceparent` of a span that caused this one earlier, in a trace of its own. */
  link?: string;
}

/** The traces of a process; null if traces are off, so that each call site costs one comparison. */
export interface Tracing {
  /** Runs work in a new span, below the span of the caller. An error ends the span as failed and is thrown on. */
  run<T>(options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Adds attributes to the span of the caller. */
  annotate(attributes: SpanAttributes): void;
  /** Marks the span of the caller as failed; does nothing for an empty type. */
  setErrorType(type: string): void;
  /** Returns the W3C headers of the span of the caller; none outside of a span. */
  headers(): Record<string, string>;
  /** Returns the id of the trace of the caller. */
  traceId(): string | undefined;
  /** Sends what has not been sent yet. */
  close(): Promise<void>;
}

/** Runs work in a span if traces are on. */
export const runInSpan = <T>(
  tracing: Tracing | null | undefined,
  describe: () => SpanOptions,
  work: () => Promise<T>,
): Promise<T> => (tracing ? tracing.run(describe(), work) : work());
