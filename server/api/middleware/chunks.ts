/**
 * Yields the body of a request as it arrives, until the signal aborts. A consumer that stops early leaves the rest of the
 * body unread, for drainRequestBody().
 */
export async function* streamChunks(request: Request, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    reader.releaseLock();
  }
}
