/** A request that the form sends. */
export interface TriedRequest {
  method: string;
  /** Path with its query, on this origin. */
  path: string;
  headers: Record<string, string>;
  body?: BodyInit;
  /** Sent as Bearer; null to send the console's session instead. */
  token: string | null;
}

/** A response. */
export interface TriedResponse {
  status: number;
  durationMs: number;
  headers: [name: string, value: string][];
  content: { kind: "text"; text: string } | { kind: "file"; file: Blob } | null;
}

const SHOWN_HEADERS = [
  "X-Request-Id",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "Location",
  "Idempotent-Replayed",
  "Content-Type",
  "ETag",
];

/**
 * Sends a request to this hub. With a token, the session's cookie is not sent; without one, the header that the hub
 * requires of a session marks the request as one of our own pages.
 */
export async function sendRequest({ method, path, headers, body, token }: TriedRequest): Promise<TriedResponse> {
  const [name, value] = token ? ["Authorization", `Bearer ${token}`] : ["X-Requested-With", "XMLHttpRequest"];
  const began = performance.now();
  const response = await fetch(path, {
    method,
    body,
    cache: "no-store",
    headers: { ...headers, [name]: value },
    credentials: token ? "omit" : "same-origin",
  });
  const content = await readContent(response);
  return {
    status: response.status,
    durationMs: performance.now() - began,
    headers: SHOWN_HEADERS.flatMap((shown): TriedResponse["headers"] => {
      const received = response.headers.get(shown);
      return received === null ? [] : [[shown, received]];
    }),
    content,
  };
}

async function readContent(response: Response): Promise<TriedResponse["content"]> {
  const file = await response.blob();
  if (file.size === 0) return null;
  if (!/\bjson$/.test(response.headers.get("content-type") ?? "")) return { kind: "file", file };
  const text = await file.text();
  return { kind: "text", text: JSON.stringify(JSON.parse(text), null, 2) };
}
