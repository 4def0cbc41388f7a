/** An external worker with a token, or the in-process worker, which has none. */
export interface Worker {
  tokenId: string | null;
  name: string;
}
