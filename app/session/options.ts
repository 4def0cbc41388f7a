import type { Account, AuthOptions, User } from "next-auth";
import { CredentialsSignIn } from "./credentials";
import type { Hub } from "@/server/context";
import { toServiceUnavailable } from "@/server/domain/health/to-service-unavailable";
import { IDLE_S, openSession } from "@/server/domain/sessions/open";
import { findByIdentity, signInByIdentity } from "@/server/domain/sessions/sign-in-by-identity";
import { asClaims, SESSION_COOKIE, sessionSecret } from "@/server/lib/session-token";
import { services } from "./services";

/** How people sign in to this hub, as next-auth wants to be told. */
export function authOptions(hub: Hub, credentials: CredentialsSignIn): AuthOptions {
  const secure = hub.env.BASE_URL.startsWith("https:");
  // next-auth takes every failure for the end of the session, and has the browser forget it.
  const refuse = (error: unknown) => {
    credentials.refusal = toServiceUnavailable(error);
    throw error;
  };
  return {
    secret: sessionSecret(hub.secret),
    session: { strategy: "jwt", maxAge: IDLE_S },
    useSecureCookies: secure,
    cookies: {
      sessionToken: { name: SESSION_COOKIE, options: { httpOnly: true, sameSite: "lax", path: "/", secure } },
    },
    providers: [credentials.provider, ...services(hub.env)],
    pages: { signIn: "/sign-in", signOut: "/settings", error: "/sign-in" },
    callbacks: {
      async signIn({ account, profile }) {
        if (!account || account.type === "credentials") return true;
        const verdict = await signInByIdentity(hub, identityOf(account, profile));
        return verdict === "welcome" || `/sign-in?error=${verdict}`;
      },
      async jwt({ token, user, account }) {
        const now = Math.floor(hub.now().getTime() / 1000);
        if (account) return { ...(await begin(hub, user, account)), began: now, seen: now };
        const claims = asClaims(token);
        const session = claims && (await openSession(hub, claims).catch(refuse));
        if (!session) throw new Error("the session has ended");
        return { ...token, seen: now };
      },
    },
    // What it calls an error is mostly a session that ended or a password that was wrong.
    logger: {
      error: (code) => hub.log.info({ code }, "sign-in"),
      warn: (code) => hub.log.debug({ code }, "sign-in"),
      debug: () => undefined,
    },
  };
}

const identityOf = ({ provider, providerAccountId }: Account, profile: unknown) => {
  const { email, email_verified } = (profile ?? {}) as { email?: unknown; email_verified?: unknown };
  const proved = email_verified === true && typeof email === "string";
  return { provider, subject: providerAccountId, verifiedEmail: proved ? email : null };
};

/** What the cookie of a new session says of its account. */
async function begin(hub: Hub, user: User, account: Account) {
  if (account.type === "credentials") return CredentialsSignIn.claimsOf(user);
  const signed = await findByIdentity(hub, identityOf(account, null));
  if (!signed) throw new Error("the account is not there");
  return { sub: String(signed.id), email: signed.email, version: signed.session_version };
}
