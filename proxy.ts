import { type NextRequest, NextResponse } from "next/server";
import { findBucketOrigin } from "./server/lib/bucket-origin";

/** Where a page that needs a session finds its own address, to come back to. */
const PATH_HEADER = "x-hub-path";

/**
 * Gives every page a policy under which only its own scripts run: those that carry this answer's nonce, and what they
 * load. Decides nothing about who may see what; each page and each call does.
 */
export function proxy(request: NextRequest): NextResponse {
  const policy = policyFor(crypto.randomUUID().replaceAll("-", ""));
  const headers = new Headers(request.headers);
  // Next reads the nonce from here and puts it on its own scripts.
  headers.set("Content-Security-Policy", policy);
  headers.set(PATH_HEADER, request.nextUrl.pathname + request.nextUrl.search);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  return response;
}

/** Where a browser may load pictures and players from as well, if files are read from the bucket. */
const bucket = process.env.FILES_REDIRECT === "on" ? ` ${findBucketOrigin(process.env)}` : "";

const policyFor = (nonce: string) =>
  [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${process.env.NODE_ENV === "development" ? " 'unsafe-eval'" : ""}`,
    // Positions of menus and the like are set as style attributes.
    "style-src 'self' 'unsafe-inline'",
    `img-src 'self' data: blob:${bucket}`,
    `media-src 'self' blob:${bucket}`,
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");

// Never the APIs: what stands before an upload would buffer it.
export const config = { matcher: ["/((?!api/|v1/|mcp$|mcp/|s/|_next/static|_next/image|icon.svg).*)"] };
