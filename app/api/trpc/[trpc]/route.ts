import { getHub, getPageApi } from "@/server/hub";

export const dynamic = "force-dynamic";
export const runtime = "nodejs";

/** Serves the tRPC API of the console. */
async function serve(request: Request): Promise<Response> {
  const { serveTrpc } = await getPageApi();
  return serveTrpc(await getHub(), request);
}

export { serve as GET, serve as POST };
