import type { Account, AuthOptions } from "next-auth";
import Credentials from "next-auth/providers/credentials";
import type { Env } from "@/server/env";
import type { SignInRequest } from "@/server/page-api/sign-in-request";
import { services } from "./services";

/** Returns next-auth's options for a request of this hub. */
export function authOptions(signIn: SignInRequest): AuthOptions {
  const { hub, cookie } = signIn;
  const { log } = hub;
  const secure = cookie.isSecure;
  return {
    secret: cookie.secret,
    session: { strategy: "jwt", maxAge: cookie.maxAgeSeconds },
    jwt: { decode: ({ token, salt }) => cookie.decode({ token, salt }) },
    useSecureCookies: secure,
    cookies: {
      sessionToken: { name: cookie.name, options: { httpOnly: true, sameSite: "lax", path: "/", secure } },
    },
    providers: [credentials(signIn), ...services(hub.env)],
    pages: { signIn: "/sign-in", signOut: "/settings", error: "/sign-in" },
    callbacks: {
      async signIn({ account, profile }) {
        if (!account || account.type === "credentials") return true;
        const outcome = await signIn.verifyIdentity(identityOf(hub.env, account, profile));
        return outcome === "welcome" || `/sign-in?error=${outcome}`;
      },
      // next-auth's own callback throws on invalid URLs.
      redirect: ({ url, baseUrl }) =>
        URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === baseUrl ? new URL(url, baseUrl).href : baseUrl,
      async jwt({ token, account }) {
        const now = Math.floor(hub.now().getTime() / 1000);
        if (account) {
          const identity = account.type === "credentials" ? null : identityOf(hub.env, account, null);
          return { ...(await signIn.startSession(identity)), began: now, seen: now };
        }
        if (!(await signIn.isOpen(token))) throw new Error("the session has ended");
        return { ...token, seen: now };
      },
    },
    events: {
      signOut: ({ token }) => signIn.endSession(token),
    },
    // Most of next-auth's errors are ended sessions or wrong passwords.
    logger: {
      error: (code) => log.info({ code }, "sign-in"),
      warn: (code) => log.debug({ code }, "sign-in"),
      debug: () => undefined,
    },
  };
}

const credentials = (signIn: SignInRequest) =>
  Credentials({
    id: "credentials",
    credentials: { email: { label: "E-mail", type: "email" }, password: { label: "Password", type: "password" } },
    async authorize(fields) {
      const signedIn = await signIn.verifyPassword(fields);
      return signedIn && { id: String(signedIn.id), email: signedIn.email };
    },
  });

const identityOf = (env: Env, { provider, providerAccountId }: Account, profile: unknown) => {
  const { email, email_verified } = (profile ?? {}) as { email?: unknown; email_verified?: unknown };
  const isVerified = email_verified === true && typeof email === "string";
  const issuer = (provider === "oidc" && env.AUTH_OIDC_ISSUER) || null;
  return { provider, issuer, subject: providerAccountId, verifiedEmail: isVerified ? email : null };
};
