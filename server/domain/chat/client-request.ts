/** A client's request that its SDK may retry without an idempotency key. */
export interface ClientRequest {
  /** SHA-256 of the route and the request body's bytes. */
  digest: Buffer;
  /** Whether the SDK marks it as a retry. */
  isRetry: boolean;
  /** Resolves when the socket closes, to whether the whole answer had been written to it. */
  delivered: Promise<boolean>;
}
