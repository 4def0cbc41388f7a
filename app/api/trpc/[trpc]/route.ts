import { getTRPCErrorFromUnknown } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { readCaller } from "@/app/session/caller";
import { readBytes } from "@/server/api/middleware/bytes";
import { isAppError } from "@/server/errors";
import { theHub } from "@/server/hub";
import { headersOf, withCode } from "@/server/trpc/error";
import { root } from "@/server/trpc/root";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

const MOST_BYTES = 1024 * 1024;
const MOST_AT_ONCE = 20;

/** The console's own calls. */
async function serve(request: Request): Promise<Response> {
  const hub = await theHub();
  try {
    return await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: await bounded(request),
      router: root,
      maxBatchSize: MOST_AT_ONCE,
      createContext: () =>
        readCaller(hub, request.headers).catch((error: unknown) => {
          throw withCode(getTRPCErrorFromUnknown(error));
        }),
      responseMeta: ({ errors }) => ({ headers: headersOf(errors) }),
    });
  } catch (error) {
    if (isAppError(error)) return Response.json({ message: error.message }, { status: error.status });
    throw error;
  }
}

async function bounded(request: Request): Promise<Request> {
  if (!request.body) return request;
  const { url, method, headers } = request;
  return new Request(url, { method, headers, body: Buffer.from(await readBytes(request, MOST_BYTES)) });
}

export { serve as GET, serve as POST };
