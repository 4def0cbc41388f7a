import { randomBytes } from "node:crypto";
import { text } from "node:stream/consumers";
import { serveRequests } from "./serve-requests";

/** A user as GitHub's API returns it. */
export interface GitHubUser {
  id: number;
  login: string;
  /** The public address of the profile. */
  email: string | null;
  /** Null if the API does not permit reading them. */
  emails: { email: string; primary: boolean; verified: boolean }[] | null;
}

/**
 * Opens the part of GitHub that signing in uses, as a real server on loopback: codes, tokens, `/user` and
 * `/user/emails`.
 */
export async function openGitHub() {
  const codes = new Map<string, GitHubUser>();
  const tokens = new Map<string, GitHubUser>();
  const url = await serveRequests((request, response) => {
    void handleRequest(request.url!, request.headers.authorization ?? "", request).then((body) => {
      response.writeHead(body ? 200 : 403, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
    });
  });

  async function handleRequest(
    path: string,
    authorization: string,
    body: NodeJS.ReadableStream,
  ): Promise<object | null> {
    if (path === "/login/oauth/access_token") {
      const code = new URLSearchParams(await text(body)).get("code") ?? "";
      const user = codes.get(code);
      if (!user) return null;
      codes.delete(code);
      const token = randomBytes(8).toString("hex");
      tokens.set(token, user);
      return { access_token: token, token_type: "bearer", scope: "read:user,user:email" };
    }
    const user = tokens.get(authorization.replace(/^Bearer /, ""));
    if (path === "/user/emails") return user?.emails ?? null;
    return user ? { id: user.id, login: user.login, name: null, email: user.email } : null;
  }

  return {
    url,
    /** Consents at the URL to which the hub sent the browser, and returns the parameters of the callback. */
    consent(authorize: string, user: GitHubUser): URLSearchParams {
      const code = randomBytes(8).toString("hex");
      codes.set(code, user);
      return new URLSearchParams({ code, state: new URL(authorize).searchParams.get("state")! });
    },
  };
}
