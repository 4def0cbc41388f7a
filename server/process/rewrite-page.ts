import type { ServerResponse } from "node:http";

/** Lets `change` see a page's HTML whole before it is sent. What is no page goes on as it comes. */
export function rewritePage(response: ServerResponse, change: (html: string) => string): void {
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  const parts: Buffer[] = [];
  const isPage = () => String(response.getHeader("content-type")).startsWith("text/html");
  const keep = (chunk: unknown) => {
    if (typeof chunk === "string" || chunk instanceof Uint8Array) parts.push(Buffer.from(chunk));
  };
  response.write = (...values: unknown[]) => {
    if (!isPage()) return write(...values);
    keep(values[0]);
    return true;
  };
  response.end = (...values: unknown[]) => {
    if (!isPage()) return end(...values);
    keep(values[0]);
    const html = change(Buffer.concat(parts).toString());
    if (!response.headersSent) response.removeHeader("content-length");
    return end(html, ...values.filter((value) => typeof value === "function"));
  };
}
