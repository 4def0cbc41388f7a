/** One request of a client, as far as its SDK may repeat it without an idempotency key. */
export interface ClientRequest {
  /** SHA-256 of the route and the body as it was sent. */
  digest: Buffer;
  /** Whether the SDK says that it repeats an earlier request. */
  isRetry: boolean;
  /** Resolves to whether the last byte of the answer was handed to the socket before that closed. */
  delivered: Promise<boolean>;
}
