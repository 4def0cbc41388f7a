/** Who works: a program with a token, or the worker in process, which has none. */
export interface Worker {
  tokenId: string | null;
  name: string;
}
