import type { AuthOptions } from "next-auth";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import type { Env } from "@/server/env";

/** Returns the next-auth providers that the settings enable. */
export function services(env: Env): AuthOptions["providers"] {
  const { AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET } = env;
  const providers: AuthOptions["providers"] = [];
  if (AUTH_GITHUB_ID) providers.push(gitHub(AUTH_GITHUB_ID, AUTH_GITHUB_SECRET!));
  if (AUTH_GOOGLE_ID) providers.push(Google({ clientId: AUTH_GOOGLE_ID, clientSecret: AUTH_GOOGLE_SECRET! }));
  if (env.AUTH_OIDC_ISSUER) providers.push(openId(env, env.AUTH_OIDC_ISSUER));
  return providers;
}

/**
 * Signs in with the verified address of GitHub. next-auth's own provider takes the first address of the account,
 * which may be unverified and so belong to somebody else.
 */
const gitHub = (clientId: string, clientSecret: string): AuthOptions["providers"][number] =>
  GitHub({
    clientId,
    clientSecret,
    userinfo: {
      url: "https://api.github.com/user",
      async request({ client, tokens, provider }) {
        const token = tokens.access_token!;
        const { url } = provider.userinfo as { url: string };
        const [profile, emails] = await Promise.all([
          client.userinfo(token),
          fetchEmails(client, `${url}/emails`, token),
        ]);
        const email = emails.find(({ primary, verified }) => primary && verified)?.email;
        return { ...profile, email, email_verified: email !== undefined };
      },
    },
  });

interface Email {
  email: string;
  primary: boolean;
  verified: boolean;
}

/** Returns an empty list when GitHub hides the addresses; existing accounts can still sign in. */
async function fetchEmails(client: Client, url: string, token: string): Promise<Email[]> {
  const { statusCode, body } = await client.requestResource(url, token);
  return statusCode === 200 ? (JSON.parse(body!.toString()) as Email[]) : [];
}

interface Client {
  requestResource(url: string, token: string): Promise<{ statusCode?: number; body?: Buffer }>;
}

const openId = (env: Env, issuer: string): AuthOptions["providers"][number] => ({
  id: "oidc",
  name: env.AUTH_OIDC_NAME,
  type: "oauth",
  wellKnown: `${issuer}/.well-known/openid-configuration`,
  clientId: env.AUTH_OIDC_ID,
  clientSecret: env.AUTH_OIDC_SECRET,
  authorization: { params: { scope: "openid email" } },
  idToken: true,
  checks: ["pkce", "state", "nonce"],
  profile: ({ sub, email }: { sub: string; email?: string }) => ({ id: sub, email }),
});
