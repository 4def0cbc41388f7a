import type { AuthOptions } from "next-auth";
import GitHub from "next-auth/providers/github";
import Google from "next-auth/providers/google";
import type { Env } from "@/server/env";

/** The other services by which the operator lets people sign in. */
export function services(env: Env): AuthOptions["providers"] {
  const { AUTH_GITHUB_ID, AUTH_GITHUB_SECRET, AUTH_GOOGLE_ID, AUTH_GOOGLE_SECRET } = env;
  const providers: AuthOptions["providers"] = [];
  if (AUTH_GITHUB_ID) providers.push(GitHub({ clientId: AUTH_GITHUB_ID, clientSecret: AUTH_GITHUB_SECRET! }));
  if (AUTH_GOOGLE_ID) providers.push(Google({ clientId: AUTH_GOOGLE_ID, clientSecret: AUTH_GOOGLE_SECRET! }));
  if (env.AUTH_OIDC_ISSUER) providers.push(openId(env, env.AUTH_OIDC_ISSUER.replace(/\/+$/, "")));
  return providers;
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
