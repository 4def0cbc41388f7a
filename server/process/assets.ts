import type { RequestListener } from "node:http";
import path from "node:path";
import sirv from "sirv";
import { root } from "../root";

const PREFIX = "/_next/static/";
const YEAR_S = 31_536_000;

/**
 * Answers for the pages' scripts and styles ahead of Next, which would compress each of them again for each reader.
 * Their names change with their content, so a browser asks once.
 */
export function withAssets(pages: RequestListener): RequestListener {
  const serve = sirv(path.join(root, ".next", "static"), {
    brotli: true,
    gzip: true,
    immutable: true,
    maxAge: YEAR_S,
    setHeaders: (response) => response.setHeader("X-Content-Type-Options", "nosniff"),
  });
  return (request, response) => {
    const { url = "", method } = request;
    if (!url.startsWith(PREFIX) || (method !== "GET" && method !== "HEAD")) return pages(request, response);
    request.url = url.slice(PREFIX.length - 1);
    serve(request, response, () => {
      request.url = url;
      pages(request, response);
    });
  };
}
