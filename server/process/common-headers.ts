import type { RequestListener, ServerResponse } from "node:http";

/** Gives every answer of `listener` these headers, and `Cache-Control: no-store` where it says nothing of caching. */
export const withHeaders =
  (listener: RequestListener, headers: Record<string, string>): RequestListener =>
  (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    storeNothingByDefault(response);
    listener(request, response);
  };

function storeNothingByDefault(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...values: unknown[]) => ServerResponse;
  // Node calls it itself for whoever writes no head.
  response.writeHead = (...values: unknown[]) => {
    if (!response.hasHeader("cache-control") && !isNamed(values.at(-1)))
      response.setHeader("Cache-Control", "no-store");
    return writeHead(...values);
  };
}

/** Whether the headers that are given with the head, as an object or as a list, speak of caching. */
const isNamed = (headers: unknown): boolean =>
  typeof headers === "object" &&
  headers !== null &&
  (Array.isArray(headers) ? headers.flat() : Object.keys(headers)).some((name) =>
    /^cache-control$/i.test(String(name)),
  );
