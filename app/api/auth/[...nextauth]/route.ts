import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { authFailure } from "@/app/session/auth-failure";
import { addressOf } from "@/app/session/caller";
import { authOptions } from "@/app/session/options";
import { readAuthFields } from "@/app/session/read-auth-fields";
import { SignInRequest } from "@/app/session/sign-in-request";
import { drainRequestBody } from "@/server/api/middleware/drain-request-body";
import type { Hub } from "@/server/context";
import { limitAuthCalls } from "@/server/domain/sessions/throttle";
import { AppError, invalidInput } from "@/server/errors";
import { getHub } from "@/server/hub";
import { browserName } from "@/server/lib/browser-name";
import { deviceCookie, readDevice } from "@/server/lib/device-token";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/** What next-auth serves here; its `_log` would let anybody write into ours. */
const ACTIONS = new Set(["callback", "csrf", "error", "providers", "session", "signin", "signout"]);

/** Serves next-auth's own routes. What next-auth would take for a fault of its own is answered before or after it. */
async function serve(request: NextRequest, context: Context): Promise<Response> {
  const hub = await getHub();
  // Our server has said so already; a plain `next start` has not.
  Object.assign(process.env, { NEXTAUTH_URL: hub.env.BASE_URL });
  try {
    return await answer(hub, request, context);
  } catch (error) {
    return drainRequestBody(request, authFailure(hub, error));
  }
}

async function answer(hub: Hub, request: NextRequest, context: Context): Promise<Response> {
  const { headers, method } = request;
  const address = addressOf(hub, headers);
  limitAuthCalls(hub, address);
  const [action = "", provider, ...rest] = (await context.params).nextauth;
  if (!ACTIONS.has(action) || rest.length > 0)
    throw new AppError("resource_not_found", "There is nothing at this path.");
  const fields = method === "POST" ? await readAuthFields(hub, request, address) : null;
  const source = { address, browser: browserName(headers.get("user-agent")), device: readDevice(hub.secret, headers) };
  const signIn = new SignInRequest(hub, source);
  if (fields && action === "callback" && provider === "credentials") signIn.rejectExhausted(fields);

  const response = (await NextAuth(rebuild(request, fields), context, authOptions(hub, signIn))) as Response;
  if (signIn.error) throw signIn.error;
  // It has no faults of its own that it answers so: what was sent made no sense to it.
  if (response.status >= 500) throw invalidInput("body", "is not what this path takes");
  if (signIn.signedIn) {
    const isSecure = hub.env.BASE_URL.startsWith("https:");
    response.headers.append("Set-Cookie", deviceCookie(hub.secret, signIn.signedIn, isSecure));
  }
  return response;
}

/** The request as next-auth reads it best: its body was read to be checked. */
function rebuild(request: NextRequest, fields: Record<string, string> | null): NextRequest {
  if (!fields) return request;
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/x-www-form-urlencoded");
  headers.delete("content-length");
  return new NextRequest(request.url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}

export { serve as GET, serve as POST };
