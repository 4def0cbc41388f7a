/** A hub and a key of an account. */
export interface Target {
  url: string;
  key: string;
}

interface ApiResponse {
  status: number;
  body: {
    id?: string;
    generation_id?: string;
    batch_id?: string;
    counts?: Record<string, number>;
    data?: { id: string }[];
    code?: string;
  };
}

/** Sends a request. Returns undefined if the connection broke, after which the client cannot know what happened. */
export async function sendRequest(
  { url, key }: Target,
  method: string,
  path: string,
  idempotency?: string,
  body?: unknown,
): Promise<ApiResponse | undefined> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body) headers["content-type"] = "application/json";
  if (idempotency) headers["idempotency-key"] = idempotency;
  try {
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
    return { status: response.status, body: (await response.json()) as ApiResponse["body"] };
  } catch {
    return undefined;
  }
}

// Refused connections fail at once, and clients without a pause would take the CPU time that the restart needs.
export const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
