import { parseFunctionConfig, type FunctionConfig } from "./function-config";

/** The SDK's own handler, as `serve()` makes it. */
export type Handler = (request: Request) => Promise<Response>;

/** Where the handler is thought to stand; nothing listens there. */
export const ADDRESS = "http://engine.invalid/api/inngest";
export const HEADERS = { "content-type": "application/json", host: "engine.invalid" };

/** Asks the handler for its functions, as a server does. Throws on the first that the engine would not honour. */
export async function registerFunctions(handler: Handler): Promise<Map<string, FunctionConfig>> {
  const response = await handler(
    new Request(ADDRESS, {
      method: "PUT",
      headers: { ...HEADERS, "x-inngest-sync-kind": "in_band" },
      body: JSON.stringify({ url: ADDRESS }),
    }),
  );
  const answer = (await response.json()) as { functions?: unknown[] };
  if (!response.ok || !answer.functions) throw new Error(`functions did not register: ${JSON.stringify(answer)}`);
  return new Map(answer.functions.map(parseFunctionConfig).map((plan) => [plan.id, plan]));
}
