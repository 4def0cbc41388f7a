import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { addressOf } from "@/app/session/caller";
import { authOptions } from "@/app/session/options";
import { SignInRequest } from "@/app/session/sign-in-request";
import { readBytes } from "@/server/api/middleware/bytes";
import { isAppError } from "@/server/errors";
import { theHub } from "@/server/hub";
import { browserName } from "@/server/lib/browser-name";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const MOST_BYTES = 64 * 1024;

/** next-auth's own routes. What a try was refused for before its password was looked at is answered here. */
async function serve(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const hub = await theHub();
  // Our server has said so already; a plain `next start` has not.
  Object.assign(process.env, { NEXTAUTH_URL: hub.env.BASE_URL });
  const { headers } = request;
  const signIn = new SignInRequest(hub, {
    address: addressOf(hub, headers),
    browser: browserName(headers.get("user-agent")),
  });
  try {
    const answer = (await NextAuth(await bounded(request), context, authOptions(hub, signIn))) as Response;
    if (signIn.error === null) return answer;
    throw signIn.error;
  } catch (error) {
    if (!isAppError(error)) throw error;
    const url = `${hub.env.BASE_URL}/sign-in?error=limited`;
    return Response.json({ message: error.message, url }, { status: error.status, headers: error.headers });
  }
}

/** next-auth reads a body whatever its size. */
async function bounded(request: NextRequest): Promise<NextRequest> {
  if (!request.body) return request;
  const { url, method, headers } = request;
  return new NextRequest(url, { method, headers, body: Buffer.from(await readBytes(request, MOST_BYTES)) });
}

export { serve as GET, serve as POST };
