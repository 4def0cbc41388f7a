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
  schemes?: Scheme[];
  signal?: AbortSignal;
  /** Takes the content of an answer with status 200 as it comes; the body of the response is then empty. */
  store?: (content: AsyncIterable<Uint8Array>) => Promise<unknown>;
}

export type Scheme = "https:" | "http:";

export interface SafeResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** The one way out to an address that a customer gave. Redirects are answers, never followed. */
export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeResponse>;
