import type { Context, Hono } from "hono";
import type { Hub } from "../../domain/hub";
import { openShareLink, shareNotFoundError } from "../../domain/shares";
import { isAppError } from "../../errors";
import { createBaseApp, rejectOtherMethods } from "../base-app";
import { problemResponse, toAppError } from "../middleware/problem";
import { createRequestContext, type Host, type RequestContext, runInRequestSpan } from "../request-context";
import { serveSharedFile } from "./file";
import { pagePolicy, renderErrorPage, renderSharePage } from "./page";

type Respond = (context: RequestContext, token: string, request: Request) => Promise<Response>;

/**
 * Returns the pages of share links and the files that they show, as a web-standard app without scripts, cookies or sessions.
 * The URL is all that opens them, so it is neither indexed nor sent on as a referrer.
 */
export function createShareApp(hub: Hub): Hono<Host> {
  const app = createBaseApp(hub);
  const serve = (operation: string, respond: Respond, respondToError: typeof problemResponse) => (c: Context<Host>) => {
    const context = createRequestContext(hub, c, "problem", operation);
    // The token is as good as a key, so it is neither logged nor repeated.
    context.path = "/s";
    Object.assign(context.headers, privateHeaders);
    return runInRequestSpan(context, c.req.raw, async () => {
      try {
        return await respond(context, c.req.param("token") ?? "", c.req.raw);
      } catch (error) {
        return respondToError(context, hideExpiry(error));
      }
    });
  };
  app.get("/s/:token", serve("getSharePage", servePage, sendErrorPage));
  app.get("/s/:token/file", serve("getSharedFile", serveFile, problemResponse));
  for (const path of ["/s/:token", "/s/:token/file"]) rejectOtherMethods(app, hub, path, { allow: "GET, HEAD" });
  return app;
}

const privateHeaders = {
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow, noarchive, noimageindex",
};

/** Replaces the error of a file that was removed a moment ago with the one of a link that does not work. */
const hideExpiry = (error: unknown): unknown =>
  isAppError(error) && error.code === "file_expired" ? shareNotFoundError() : error;

async function servePage({ hub, address, headers }: RequestContext, token: string, request: Request) {
  const shared = await openShareLink(hub, token, address);
  if (request.method !== "HEAD") hub.services.shareViews.add(shared.linkId);
  const modelName = hub.catalogue.get(shared.model)?.name ?? shared.model;
  const url = `${hub.env.BASE_URL}/s/${token}`;
  return sendPage(headers, 200, await renderSharePage({ ...shared, modelName, url }));
}

async function serveFile({ hub, address, headers }: RequestContext, token: string, request: Request) {
  const { file } = await openShareLink(hub, token, address);
  const { status = 200, headers: fileHeaders, content } = await serveSharedFile(hub, file, request);
  return new Response(content, { status, headers: { ...headers, ...fileHeaders } });
}

async function sendErrorPage(context: RequestContext, thrown: unknown): Promise<Response> {
  const error = isAppError(thrown) ? thrown : await toAppError(context, thrown);
  return sendPage({ ...context.headers, ...error.headers }, error.status, await renderErrorPage(error));
}

const sendPage = (headers: Record<string, string>, status: number, page: string) =>
  new Response(page, {
    status,
    headers: { ...headers, "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": pagePolicy },
  });
