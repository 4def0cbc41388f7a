import { type Inngest, InngestCommHandler, type InngestFunction } from "inngest";

export interface SdkRequest {
  method: "PUT" | "POST";
  /** Names in lower case. */
  headers: Record<string, string>;
  query: Record<string, string>;
  /** What an Inngest server would send as JSON. */
  body: object;
}

interface SdkResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

/** The SDK's own request handler, as `serve()` makes it for a web framework, but for plain objects. */
export type SdkHandler = (request: SdkRequest) => Promise<SdkResponse>;

// The SDK needs an address in its requests; nothing listens there.
export const HANDLER_URL = "http://engine.invalid/api/inngest";
const url = new URL(HANDLER_URL);

/**
 * Returns the SDK's handler of these functions. The web's `Request` and `Response` would take a fifth of a call's time,
 * because their bodies are streams of text.
 */
export const createSdkHandler = (client: Inngest, functions: InngestFunction.Any[]): SdkHandler =>
  new InngestCommHandler<[SdkRequest], SdkResponse>({
    frameworkName: "embedded",
    client,
    functions,
    handler: (request) => ({
      body: () => request.body as never,
      headers: (name) => request.headers[name.toLowerCase()] ?? null,
      method: () => request.method,
      url: () => url,
      queryString: (name) => request.query[name],
      transformResponse: ({ status, headers, body }) => ({ status, headers, body }),
    }),
  }).createHandler();
