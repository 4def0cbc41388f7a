/** Returns the response and calls `onEnd` once an event stream is sent or its client disconnects; otherwise at once. */
export function onBodyEnd(response: Response, onEnd: () => void): Response {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
    onEnd();
    return response;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}
