const SMALL_BODY_BYTES = 64 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PAUSE_MS = 5_000;

/**
 * Returns an error response whose end waits until the rest of the request body is read and discarded. Many clients read
 * a response only after they sent everything, and lose it if the connection closes earlier. The response starts at
 * once. Reading stops after MAX_BYTES, and when the client pauses for MAX_PAUSE_MS.
 */
export async function drainRequestBody(request: Request, response: Response): Promise<Response> {
  if (!hasPendingBody(request)) return response;
  const content = new Uint8Array(await response.arrayBuffer());
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(content),
    async pull(controller) {
      await discardBody(request.body as ReadableStream<Uint8Array>);
      controller.close();
    },
  });
  const headers = new Headers(response.headers);
  headers.set("Content-Length", String(content.byteLength));
  return new Response(body, { status: response.status, headers });
}

// A small body has arrived together with the headers.
function hasPendingBody(request: Request): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  if (Number(request.headers.get("content-length") ?? Infinity) <= SMALL_BODY_BYTES) return false;
  return request.body !== null && !request.body.locked;
}

async function discardBody(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(cancel, MAX_PAUSE_MS).unref();
  try {
    for (let remaining = MAX_BYTES; remaining > 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      remaining -= value.byteLength;
      timer.refresh();
    }
    cancel();
  } catch {
    // The client disconnected.
  } finally {
    clearTimeout(timer);
  }
}
