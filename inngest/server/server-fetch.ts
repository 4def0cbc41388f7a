const REQUEST_TIMEOUT_MS = 10_000;

interface Options {
  /** Throws when events must not be sent now. */
  beforeEvents: () => void;
  /** Hears how the server answered events; null when it did not. */
  onEvents: (status: number | null) => void;
}

/** Returns the `fetch` by which a client speaks to a server: bounded in time, and heard by whoever watches the server. */
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
