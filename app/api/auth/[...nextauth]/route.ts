import NextAuth from "next-auth";
import { NextRequest } from "next/server";
import { addressOf } from "@/app/session/caller";
import { CredentialsSignIn } from "@/app/session/credentials";
import { authOptions } from "@/app/session/options";
import { readAllBytes } from "@/server/api/middleware/bytes";
import { linger } from "@/server/api/middleware/linger";
import { isAppError } from "@/server/errors";
import { theHub } from "@/server/hub";
import type { Reservation } from "@/server/lib/byte-budget";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const MOST_BYTES = 64 * 1024;

/** next-auth's own routes. What a try was refused for before its password was looked at is answered here. */
async function serve(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }): Promise<Response> {
  const hub = await theHub();
  // Our server has said so already; a plain `next start` has not.
  Object.assign(process.env, { NEXTAUTH_URL: hub.env.BASE_URL });
  const reservation = hub.bodyBudget.open(addressOf(hub, request.headers) ?? "console");
  const credentials = new CredentialsSignIn(hub, addressOf(hub, request.headers));
  try {
    const answer = (await NextAuth(
      await bounded(request, reservation),
      context,
      authOptions(hub, credentials),
    )) as Response;
    if (!credentials.refusal) return answer;
    const { message, status, headers } = credentials.refusal;
    const url = `${hub.env.BASE_URL}/sign-in?error=limited`;
    return Response.json({ message, url }, { status, headers });
  } catch (error) {
    if (isAppError(error)) return linger(request, Response.json({ message: error.message }, error));
    throw error;
  } finally {
    reservation.release();
  }
}

/** next-auth reads a body whatever its size. */
async function bounded(request: NextRequest, reservation: Reservation): Promise<NextRequest> {
  if (!request.body) return request;
  const { url, method, headers } = request;
  return new NextRequest(url, { method, headers, body: await readAllBytes(request, MOST_BYTES, reservation) });
}

export { serve as GET, serve as POST };
