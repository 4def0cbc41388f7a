/** Yields the body of a request as it arrives, until an abort. Stopping early leaves the rest in the request, for `linger`. */
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
