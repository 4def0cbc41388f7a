/** The body of a request as it arrives. Stopping early leaves the rest in the request, for `linger`. */
export async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = (request.body as ReadableStream<Uint8Array>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.releaseLock();
  }
}
