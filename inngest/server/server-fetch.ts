const REQUEST_TIMEOUT_MS = 10_000;

interface Options {
  /** Called before events are sent; throws to hold them back. */
  beforeEvents: () => void;
  /** Called with the status of the answer to events; null when there was none. */
  onEvents: (status: number | null) => void;
}

/** Returns the `fetch` for a server's client: with a time-out, which the SDK lacks, and with callbacks around events. */
export function createServerFetch({ beforeEvents, onEvents }: Options): typeof fetch {
  const request: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    if (!pathname.startsWith("/e/")) return toSdkError(await request(input, init));
    beforeEvents();
    try {
      const response = await request(input, init);
      onEvents(response.status);
      return response;
    } catch (error) {
      onEvents(null);
      throw error;
    }
  };
}

/** Returns a rejection in the form that the SDK reads: it takes a 401 in plain words for a 500, and some 400s for success. */
async function toSdkError(response: Response): Promise<Response> {
  if (response.ok) return response;
  const { status } = response;
  return Response.json({ status, error: (await response.text()).slice(0, 300) }, { status });
}
