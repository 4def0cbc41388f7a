import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { authOptions } from "@/app/session/options";
import { getHub, getPageApi } from "@/server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

/** Serves next-auth's routes. Errors that next-auth would report as its own are handled before and after it. */
async function serve(request: NextRequest, context: Context): Promise<Response> {
  const hub = await getHub();
  const { openSignIn, rejectSignIn } = await getPageApi();
  // The hub's own server has set it already; `next start` has not.
  Object.assign(process.env, { NEXTAUTH_URL: hub.env.BASE_URL });
  try {
    const { signIn, fields } = await openSignIn(hub, request, (await context.params).nextauth);
    const response = (await NextAuth(rebuildRequest(request, fields), context, authOptions(signIn))) as Response;
    return signIn.finish(response);
  } catch (error) {
    return rejectSignIn(hub, request, error);
  }
}

/** Returns the request with a new body for next-auth, because checking the fields has consumed it. */
function rebuildRequest(request: NextRequest, fields: Record<string, string> | null): NextRequest {
  if (!fields) return request;
  const headers = new Headers(request.headers);
  headers.set("content-type", "application/x-www-form-urlencoded");
  headers.delete("content-length");
  return new NextRequest(request.url, { method: "POST", headers, body: new URLSearchParams(fields).toString() });
}

export { serve as GET, serve as POST };
