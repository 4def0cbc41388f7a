/** Yields content that is at hand as the only chunk of a stream. */
export async function* yieldOnce(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
