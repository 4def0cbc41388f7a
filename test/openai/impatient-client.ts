import OpenAI from "openai";

/**
 * Returns OpenAI's SDK, which abandons each first request once `isUnderWay` resolves, as if it had timed out, calls
 * `onLeft`, and then retries it. On a busy machine, a real time limit might end a request before the hub has it, and a
 * retry could not join that.
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
