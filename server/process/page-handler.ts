import { once } from "node:events";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import compression from "compression";
import { isAppError } from "../errors";
import { CLIENT_HEADER, networkOf } from "../lib/client-address";
import { createFairQueue } from "../lib/fair-queue";
import { readSession } from "../lib/session-token";
import type { Secrets } from "../lib/signature";
import type { PageRoutes } from "./page-routes";
import { createPageRenderer, type RenderedPage } from "./render-page";
import { sendError } from "./send-error";
import { createStoredPages, sendStoredPage } from "./stored-pages";

const ROUTE_HANDLER = /^\/api\/(?:trpc|inngest)(?:[/?]|$)/;
const SIGN_IN = /^\/api\/auth(?:[/?]|$)/;
const LIMITS = { maxWaiting: 256, maxWaitingPerOwner: 32 };
/** Requests of next-auth take milliseconds, but some wait for a password hash or an identity provider. */
const MAX_SIGN_INS = 2;
/** Pages for signed-in people mostly wait for the database. */
const MAX_SIGNED_IN = 4;
const MAX_HOLD_MS = 1_000;

/** Waits until the work is done, but for a second at most: a slow reader, a download or a slow database must not keep a place. */
const holdPlace = (done: Promise<unknown>) => Promise.race([done, sleep(MAX_HOLD_MS, undefined, { ref: false })]);

interface Options {
  secrets: Secrets;
  routes: PageRoutes;
}

/**
 * Returns a listener that answers with pages of Next, and keeps the event loop free beside them: pages that are the
 * same for everybody come from memory. What is rendered for somebody who is not signed in is rendered one page at a
 * time with a pause after each, and clients take turns by their network, as they do at sign-in. Other route handlers
 * limit themselves.
 */
export function createPageHandler(next: RequestListener, { secrets, routes }: Options): RequestListener {
  const render = createPageRenderer(next);
  const anonymous = createFairQueue({ ...LIMITS, maxRunning: 1, isPaced: true });
  const signedIn = createFairQueue({ ...LIMITS, maxRunning: MAX_SIGNED_IN });
  const signIns = createFairQueue({ ...LIMITS, maxRunning: MAX_SIGN_INS });
  const stored = createStoredPages((page) => anonymous.run("everybody", () => render(page)), routes);

  const passOn = async (request: IncomingMessage, response: ServerResponse) => {
    if (response.destroyed) return;
    next(request, response);
    await holdPlace(once(response, "close"));
  };
  const servePage = async (request: IncomingMessage, response: ServerResponse) => {
    if (SIGN_IN.test(request.url ?? "")) {
      await compressResponse(request, response);
      return signIns.run(findNetwork(request), () => passOn(request, response));
    }
    const session = await readCookie(secrets, request);
    const page = await stored.find(request, session !== null);
    if (page) return sendStoredPage(request, response, page);
    await compressResponse(request, response);
    if (session) {
      return signedIn.run(session.sessionId, () => passOn(request, response));
    }
    let rendering: Promise<RenderedPage> | undefined;
    await anonymous.run(findNetwork(request), async () => {
      if (response.destroyed) return;
      rendering = render({ path: request.url!, headers: request.headers });
      await holdPlace(rendering);
    });
    const rendered = await rendering;
    if (!rendered) return;
    response.writeHead(rendered.status, rendered.headers);
    response.end(request.method === "HEAD" ? undefined : rendered.body);
  };

  return (request, response) => {
    if (ROUTE_HANDLER.test(request.url ?? "")) {
      void compressResponse(request, response).then(() => next(request, response));
      return;
    }
    servePage(request, response).catch((error: unknown) => {
      if (response.headersSent || !isAppError(error)) return response.destroy();
      sendError(response, error.status, error.message, error.headers);
    });
  };
}

const compress = compression() as unknown as (...values: [...Parameters<RequestListener>, () => void]) => void;

/** Compresses the response, with Brotli too, which Next's compression lacks. */
const compressResponse = (request: IncomingMessage, response: ServerResponse) =>
  new Promise<void>((resolve) => compress(request, response, resolve));

const readCookie = async (secrets: Secrets, { headers: { cookie } }: IncomingMessage) =>
  cookie === undefined ? null : readSession(secrets, new Headers({ cookie }));

/** Returns the client's network, as the server has determined it. */
function findNetwork({ headers }: IncomingMessage): string {
  const address = headers[CLIENT_HEADER];
  return networkOf(typeof address === "string" ? address : null);
}
