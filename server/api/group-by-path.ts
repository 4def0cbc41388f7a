import type { Operation } from "./operation";

/**
 * Returns the operations of each path. A path precedes those with a parameter that match it too, because a brace sorts after all
 * characters of a path: `/hub/webhooks/signing-secret` before `/hub/webhooks/{id}`.
 */
export const groupByPath = (operations: Operation[]): [path: string, own: Operation[]][] =>
  [...new Set(operations.map(({ path }) => path))]
    .toSorted()
    .map((path) => [path, operations.filter((operation) => operation.path === path)]);

/** Returns the methods of a path's operations, as `Allow` lists them. HEAD comes with GET (RFC 9110, section 9.3.2). */
export const listAllowed = (own: Operation[]): string =>
  own.flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : [method.toUpperCase()])).join(", ");
