import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { addressOf } from "@/app/session/caller";
import { CredentialsSignIn } from "@/app/session/credentials";
import { authOptions } from "@/app/session/options";
import { readBytes } from "@/server/api/middleware/bytes";
import { isAppError } from "@/server/errors";
import { theHub } from "@/server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const MOST_BYTES = 64 * 1024;

/** next-auth's own routes. What could not be decided is answered here: a try too many, and a database that is away. */
async function serve(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const hub = await theHub();
  // Our server has said so already; a plain `next start` has not.
  Object.assign(process.env, { NEXTAUTH_URL: hub.env.BASE_URL });
  const credentials = new CredentialsSignIn(hub, addressOf(hub, request.headers));
  try {
    const answer = (await NextAuth(await bounded(request), context, authOptions(hub, credentials))) as Response;
    if (!credentials.refusal) return answer;
    const { code, message, status, headers } = credentials.refusal;
    const url = `${hub.env.BASE_URL}/sign-in?error=${code === "rate_limited" ? "limited" : code}`;
    return Response.json({ message, url }, { status, headers });
  } catch (error) {
    if (isAppError(error)) return Response.json({ message: error.message }, { status: error.status });
    throw error;
  }
}

/** next-auth reads a body whatever its size. */
async function bounded(request: NextRequest): Promise<NextRequest> {
  if (!request.body) return request;
  const { url, method, headers } = request;
  return new NextRequest(url, { method, headers, body: Buffer.from(await readBytes(request, MOST_BYTES)) });
}

export { serve as GET, serve as POST };
