import type { Inngest, InngestFunction } from "inngest";
import { serve } from "inngest/edge";

const PATH = "/api/inngest";

type Handler = (request: Request) => Promise<Response>;

/** Returns the SDK's handler of calls by a server. It always registers `baseUrl`, whatever host a call names. */
export const serveFunctions = (client: Inngest, functions: InngestFunction.Any[], baseUrl: string): Handler =>
  serve({ client, functions, serveOrigin: baseUrl, servePath: PATH });

/** Registers a handler's functions in process, as a PUT on its route would. Returns the server's answer. */
export async function registerFunctions(handler: Handler, baseUrl: string) {
  const url = new URL(PATH, baseUrl);
  const response = await handler(new Request(url, { method: "PUT", headers: { host: url.host } }));
  const { message = "" } = (await response.json()) as { message?: string };
  return { status: response.status, message };
}
