import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parse } from "hono/utils/cookie";
import { readTheme, THEME_COOKIE } from "../../app/ui/theme";
import { etagOf, matchesEtag } from "../api/etag";
import type { PageRoutes } from "./page-routes";
import type { RenderedPage, RenderPage } from "./render-page";

/** Pages that are the same for everybody who is not signed in; the icon is the same for all. */
const SHARED_PAGE = /^\/(?:|docs|docs\/[\w/-]+|sign-in|sign-up|forgot-password|icon\.svg)$/;
const NOT_FOUND = "/_not-found";
const BROTLI_QUALITY = 5;
/** The home page shows samples that operators choose, in any process, and is rendered again after this time. */
const MAX_HOME_AGE_MS = 5_000;

type Encoding = "br" | "gzip" | "identity";

interface StoredPage {
  status: number;
  headers: OutgoingHttpHeaders;
  etag: string;
  bodies: Record<Encoding, Buffer>;
}

interface StoredPages {
  /** Returns the stored page for a request; null if the page must be rendered for this request. */
  find(request: IncomingMessage, isSignedIn: boolean): Promise<StoredPage | null> | null;
}

/**
 * Returns the pages that are the same for everybody, each rendered once for each theme, when it is first asked for; the home page
 * again after five seconds. They carry the hashes of their scripts instead of a nonce, so that their bytes stay the same.
 */
export function createStoredPages(render: RenderPage, routes: PageRoutes): StoredPages {
  const pages = new Map<string, { page: Promise<StoredPage | null>; renderedAt: number }>();
  const load = (path: string, theme: string) => {
    const key = `${theme} ${path}`;
    const stored = pages.get(key);
    if (stored && (path !== "/" || Date.now() - stored.renderedAt < MAX_HOME_AGE_MS)) return stored.page;
    const page = renderShared(render, path, theme);
    pages.set(key, { page, renderedAt: Date.now() });
    const forget = () => void pages.delete(key);
    // Paths of `/docs` that do not exist must not fill the memory.
    page.then((rendered) => rendered ?? forget(), forget);
    return page;
  };
  return {
    find({ url = "", headers }, isSignedIn) {
      const [path = "", query] = url.split("?", 2);
      const theme = readTheme(headers.cookie && parse(headers.cookie, THEME_COOKIE)[THEME_COOKIE]);
      if (!routes.has(decodeURIComponent(path))) return load(NOT_FOUND, theme);
      const isWhole = headers.rsc === undefined && (query === undefined || path === "/icon.svg");
      return isWhole && !isSignedIn && SHARED_PAGE.test(path) ? load(path, theme) : null;
    },
  };
}

async function renderShared(render: RenderPage, path: string, theme: string): Promise<StoredPage | null> {
  const page = await render({ path, headers: { host: "localhost", cookie: `${THEME_COOKIE}=${theme}` } });
  if (page.status !== (path === NOT_FOUND ? 404 : 200)) return null;
  const { headers, body } = page.headers["content-security-policy"] ? withScriptHashes(page) : page;
  return {
    status: page.status,
    headers: {
      ...headers,
      // The response at one address depends on the session and the theme.
      "cache-control": "private, no-cache",
      vary: [headers.vary, "Accept-Encoding"].flat().join(", "),
    },
    // Weak, because all encodings share the tag.
    etag: `W/${etagOf(body.toString())}`,
    bodies: await compressBody(body),
  };
}

const NONCE = /'nonce-(\w+)' 'strict-dynamic'/;
const INLINE_SCRIPT = /<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g;

/** Returns a page whose policy names its inline scripts by their hashes. */
function withScriptHashes({ headers, body }: RenderedPage): Pick<RenderedPage, "headers" | "body"> {
  const policy = String(headers["content-security-policy"]);
  const nonce = NONCE.exec(policy)![1]!;
  const html = body.toString().replaceAll(` nonce="${nonce}"`, "").replaceAll(nonce, "");
  const hashes = [...html.matchAll(INLINE_SCRIPT)].map(([, script]) => {
    return `'sha256-${createHash("sha256").update(script!).digest("base64")}'`;
  });
  return {
    headers: { ...headers, "content-security-policy": policy.replace(NONCE, hashes.join(" ")) },
    body: Buffer.from(html),
  };
}

async function compressBody(identity: Buffer): Promise<StoredPage["bodies"]> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)]);
  return { br, gzip: gz, identity };
}

/** Sends a stored page, or 304 if the client has it. */
export function sendStoredPage(request: IncomingMessage, response: ServerResponse, page: StoredPage): void {
  const encoding = chooseEncoding(String(request.headers["accept-encoding"] ?? ""));
  const headers = { ...page.headers, etag: page.etag };
  if (page.status === 200 && matchesEtag(request.headers["if-none-match"] ?? null, page.etag.slice("W/".length))) {
    response.writeHead(304, headers).end();
    return;
  }
  const body = page.bodies[encoding];
  const coding = encoding === "identity" ? {} : { "content-encoding": encoding };
  response.writeHead(page.status, { ...headers, ...coding, "content-length": body.byteLength });
  response.end(request.method === "HEAD" ? undefined : body);
}

const chooseEncoding = (accepted: string): Encoding =>
  (["br", "gzip"] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!\\s*;\\s*q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  ) ?? "identity";
