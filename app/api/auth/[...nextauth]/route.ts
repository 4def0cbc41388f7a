import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { addressOf } from "@/app/session/caller";
import { authOptions } from "@/app/session/options";
import { readAuthFields } from "@/app/session/read-auth-fields";
import { SignInRequest } from "@/app/session/sign-in-request";
import { drainRequestBody } from "@/server/api/middleware/drain-request-body";
import type { Hub } from "@/server/context";
import { toServiceUnavailable } from "@/server/domain/health/to-service-unavailable";
import { limitAuthCalls } from "@/server/domain/rates/throttle";
import { AppError, errorTable, invalidInput, isAppError } from "@/server/errors";
import { getHub } from "@/server/hub";
import { browserName } from "@/server/lib/browser-name";
import { deviceCookie, readDevice } from "@/server/lib/device-token";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/** Supported next-auth actions. Its `_log` is excluded, because it lets anyone write to the hub's log. */
const ACTIONS = new Set(["callback", "csrf", "error", "providers", "session", "signin", "signout"]);

/** Serves next-auth's routes. Errors that next-auth would report as its own are handled before and after it. */
async function serve(request: NextRequest, context: Context): Promise<Response> {
  const hub = await getHub();
  // The hub's own server has set it already; `next start` has not.
  Object.assign(process.env, { NEXTAUTH_URL: hub.env.BASE_URL });
  try {
    return await handleAction(hub, request, context);
  } catch (error) {
    return drainRequestBody(request, authFailure(hub, error));
  }
}

async function handleAction(hub: Hub, request: NextRequest, context: Context): Promise<Response> {
  const { headers, method } = request;
  const address = addressOf(hub, headers);
  await limitAuthCalls(hub, address);
  const [action = "", provider, ...rest] = (await context.params).nextauth;
  if (!ACTIONS.has(action) || rest.length > 0)
    throw new AppError("resource_not_found", "There is nothing at this path.");
  const fields = method === "POST" ? await readAuthFields(hub, request, address) : null;
  const source = { address, browser: browserName(headers.get("user-agent")), device: readDevice(hub, headers) };
  const signIn = new SignInRequest(hub, source);
  if (fields && action === "callback" && provider === "credentials") signIn.rejectExhausted(fields);

  const response = (await NextAuth(rebuildRequest(request, fields), context, authOptions(hub, signIn))) as Response;
  if (signIn.error) throw signIn.error;
  // next-auth returns 5xx only for input that it cannot parse.
  if (response.status >= 500) throw invalidInput("body", "is not valid for this path");
  if (signIn.signedIn) {
    const isSecure = hub.env.BASE_URL.startsWith("https:");
    response.headers.append("Set-Cookie", deviceCookie(hub.secret, signIn.signedIn, isSecure));
  }
  return response;
}

/** Returns the request with a new body for next-auth, because checking the fields has consumed it. */
function rebuildRequest(request: NextRequest, fields: Record<string, string> | null): NextRequest {
  if (!fields) return request;
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/x-www-form-urlencoded");
  headers.delete("content-length");
  return new NextRequest(request.url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}

/** Returns the response to a sign-in that failed other than by a wrong password: JSON, without any inner detail. */
function authFailure(hub: Hub, thrown: unknown): Response {
  const error = isAppError(thrown) ? thrown : toInternalError(hub, thrown);
  const url = `${hub.env.BASE_URL}/sign-in?error=${error.code === "rate_limited" ? "limited" : "failed"}`;
  return Response.json({ message: error.message, url }, { status: error.status, headers: error.headers });
}

function toInternalError(hub: Hub, thrown: unknown): AppError {
  hub.log.error({ err: thrown }, "a sign-in failed");
  return toServiceUnavailable(thrown) ?? new AppError("internal_error", errorTable.internal_error.title);
}

export { serve as GET, serve as POST };
