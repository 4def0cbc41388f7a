import OpenAI from "openai";

/**
 * Returns OpenAI's SDK, which leaves each first request once `isUnderWay` resolves, as if that had timed out, and then retries
 * it; `onLeft` is called in between. A retry cannot join a request that ended before the hub had it, as a real time limit may
 * cause on a busy machine.
 */
export function openImpatientClient(
  options: { baseURL: string; apiKey: string },
  isUnderWay: () => Promise<unknown>,
  onLeft: () => void = () => undefined,
): OpenAI {
  const leaveFirst: typeof fetch = async (url, init) => {
    if (new Headers(init?.headers).get("x-stainless-retry-count") !== "0") return fetch(url, init);
    const client = new AbortController();
    const left = fetch(url, { ...init, signal: client.signal }).catch(onLeft);
    await isUnderWay();
    client.abort();
    await left;
    throw new Error("timed out");
  };
  return new OpenAI({ ...options, fetch: leaveFirst });
}
