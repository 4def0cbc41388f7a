/** What may be asked of an address that somebody else gave us. */
export interface SafeRequest {
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The whole exchange, from the look-up of the name to the last byte. */
  timeoutMs: number;
  /** Bytes of the answer, counted after decompression. */
  maxBytes: number;
  /** What happens to more: an error, or the rest is left unread. */
  whenLarger?: "fail" | "cut";
  /** Schemes allowed; by default both. */
  schemes?: ("https:" | "http:")[];
  signal?: AbortSignal;
}

export interface SafeResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The one way out to an address that a customer gave. Redirects are answers, never followed. */
export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeResponse>;

/** Why an outbound call was not made, or not finished. The message is fit for the customer. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  constructor(
    readonly reason:
      "refused_address" | "refused_url" | "unresolved" | "unreachable" | "timeout" | "too_large" | "broken",
    message: string,
  ) {
    super(message);
  }
}
