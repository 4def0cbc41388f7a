const SMALL = 64 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PAUSE_MS = 5_000;

/**
 * The refusal of a request whose body may still be under way. Many clients read their answer only when they have sent
 * everything, and lose it when the connection is closed under them: so it is sent at once, and ends only when the
 * rest of the body has been taken and dropped: so much at most, and only while it keeps coming.
 */
export async function drainRequestBody(request: Request, refusal: Response): Promise<Response> {
  if (!mayBeUnderWay(request)) return refusal;
  const words = new Uint8Array(await refusal.arrayBuffer());
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(words),
    async pull(controller) {
      await drop(request.body as ReadableStream<Uint8Array>);
      controller.close();
    },
  });
  const headers = new Headers(refusal.headers);
  headers.set("Content-Length", String(words.byteLength));
  return new Response(body, { status: refusal.status, headers });
}

// What is small has arrived together with the header.
function mayBeUnderWay(request: Request): boolean {
  if (request.method === "GET" || request.method === "HEAD") return false;
  if (Number(request.headers.get("content-length") ?? Infinity) <= SMALL) return false;
  return request.body !== null && !request.body.locked;
}

async function drop(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.getReader();
  const cut = () => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(cut, MAX_PAUSE_MS).unref();
  try {
    for (let left = MAX_BYTES; left > 0;) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.byteLength;
      timer.refresh();
    }
    cut();
  } catch {
    // The client hung up.
  } finally {
    clearTimeout(timer);
  }
}
