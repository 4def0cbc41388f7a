import type { Account, AuthOptions } from "next-auth";
import type { Hub } from "@/server/context";
import { beginSession, signOut } from "@/server/domain/sessions/session";
import { findSession, MAX_IDLE_S } from "@/server/domain/sessions/resolve-session";
import { findByIdentity } from "@/server/domain/identities/identity";
import { signInByIdentity } from "@/server/domain/signup/sign-in-by-identity";
import { AppError } from "@/server/errors";
import { asClaims, decodeToken, SESSION_COOKIE, sessionSecret } from "@/server/lib/session-token";
import { services } from "./services";
import type { SignInRequest } from "./sign-in-request";

/** Returns next-auth's options for this hub. */
export function authOptions(hub: Hub, request: SignInRequest): AuthOptions {
  const secure = hub.env.BASE_URL.startsWith("https:");
  return {
    secret: sessionSecret(hub.secret),
    session: { strategy: "jwt", maxAge: MAX_IDLE_S },
    jwt: { decode: ({ token, salt }) => decodeToken(hub, { token, salt }) },
    useSecureCookies: secure,
    cookies: {
      sessionToken: { name: SESSION_COOKIE, options: { httpOnly: true, sameSite: "lax", path: "/", secure } },
    },
    providers: [request.provider, ...services(hub.env)],
    pages: { signIn: "/sign-in", signOut: "/settings", error: "/sign-in" },
    callbacks: {
      async signIn({ account, profile }) {
        if (!account || account.type === "credentials") return true;
        const outcome = await request.guard(() => signInByIdentity(hub, identityOf(account, profile)));
        return outcome === "welcome" || `/sign-in?error=${outcome}`;
      },
      // next-auth's own callback throws on invalid URLs.
      redirect: ({ url, baseUrl }) =>
        URL.canParse(url, baseUrl) && new URL(url, baseUrl).origin === baseUrl ? new URL(url, baseUrl).href : baseUrl,
      async jwt({ token, account }) {
        const now = Math.floor(hub.now().getTime() / 1000);
        if (account)
          return { ...(await request.guard(() => startSession(hub, request, account))), began: now, seen: now };
        const claims = asClaims(token);
        const open = claims && (await request.guard(() => findSession(hub, claims)));
        if (!open) throw new Error("the session has ended");
        return { ...token, seen: now };
      },
    },
    events: {
      // Copies of the cookie end with the session.
      async signOut({ token }) {
        const claims = asClaims(token);
        if (claims) await request.guard(() => signOut(hub, claims.sessionId));
      },
    },
    // Most of next-auth's errors are ended sessions or wrong passwords.
    logger: {
      error: (code) => hub.log.info({ code }, "sign-in"),
      warn: (code) => hub.log.debug({ code }, "sign-in"),
      debug: () => undefined,
    },
  };
}

const identityOf = ({ provider, providerAccountId }: Account, profile: unknown) => {
  const { email, email_verified } = (profile ?? {}) as { email?: unknown; email_verified?: unknown };
  const isVerified = email_verified === true && typeof email === "string";
  return { provider, subject: providerAccountId, verifiedEmail: isVerified ? email : null };
};

/** Starts a session and returns the claims of its cookie. */
async function startSession(hub: Hub, request: SignInRequest, account: Account) {
  request.signedIn ??= await findByIdentity(hub, identityOf(account, null));
  const { signedIn } = request;
  const firstStep = account.type === "credentials" ? "password" : "identity";
  const session = signedIn && (await beginSession(hub, signedIn, request.browser, firstStep));
  if (!session) throw new AppError("unauthorized", "This account was closed or changed while you signed in.");
  return { sub: String(signedIn.id), email: signedIn.email, session };
}
