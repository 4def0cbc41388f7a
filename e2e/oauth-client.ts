import { createServer } from "node:http";
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { listenOnLoopback } from "../test/loopback";

export interface OAuthApp {
  /** Connects, which fails until the person has allowed it. */
  connect(): Promise<Client>;
  /** Returns the URL at which the person is asked, which a rejected `connect` sets. */
  getAuthorizationUrl(): string;
  /** Resolves with the query of the next redirect to the app. */
  nextRedirect(): Promise<URLSearchParams>;
  /** Exchanges the code of a redirect. */
  finish(answer: URLSearchParams): Promise<void>;
  close(): void;
}

/** Opens an app on this computer that connects by OAuth, with the official MCP client. */
export async function openOAuthApp(hubUrl: string, name: string): Promise<OAuthApp> {
  let onRedirect: (answer: URLSearchParams) => void = () => undefined;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://localhost");
    response.writeHead(pathname === "/callback" ? 200 : 204, { "content-type": "text/html" }).end("<title>App</title>");
    if (pathname === "/callback") onRedirect(searchParams);
  });
  const port = await listenOnLoopback(server);
  let client: OAuthClientInformationMixed | undefined;
  let [tokens, discovery]: [OAuthTokens | undefined, OAuthDiscoveryState | undefined] = [undefined, undefined];
  let [verifier, authorizationUrl] = ["", ""];
  const provider: OAuthClientProvider = {
    redirectUrl: `http://127.0.0.1:${port}/callback`,
    // Such an app listens on a different port each time it starts.
    clientMetadata: { client_name: name, redirect_uris: ["http://127.0.0.1/callback"] },
    state: () => "a state",
    clientInformation: () => client,
    saveClientInformation: (saved) => void (client = saved),
    tokens: () => tokens,
    saveTokens: (saved) => void (tokens = saved),
    redirectToAuthorization: (url) => void (authorizationUrl = url.href),
    codeVerifier: () => verifier,
    saveCodeVerifier: (saved) => void (verifier = saved),
    discoveryState: () => discovery,
    saveDiscoveryState: (saved) => void (discovery = saved),
  };
  const newTransport = () => new StreamableHTTPClientTransport(new URL(`${hubUrl}/mcp`), { authProvider: provider });
  return {
    async connect() {
      const mcp = new Client({ name, version: "1" }, { versionNegotiation: { mode: "auto" } });
      await mcp.connect(newTransport());
      return mcp;
    },
    getAuthorizationUrl: () => authorizationUrl,
    nextRedirect: () => new Promise((resolve) => (onRedirect = resolve)),
    finish: (answer) => newTransport().finishAuth(answer),
    close: () => server.close(),
  };
}
