import { type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { parse } from "hono/utils/cookie";
import NextAuth, { type AuthOptions } from "next-auth";
import { expect, test } from "vitest";
import { authOptions } from "@/app/session/options";
import { createAccount } from "@/server/domain/people/create-account";
import { findSession, resolveSession } from "@/server/domain/sessions/resolve-session";
import { SignInRequest } from "@/server/page-api/sign-in-request";
import { signUp } from "@/server/domain/signup/sign-up";
import { newBrowser } from "../auth-browser";
import { type GitHubUser, openGitHub } from "../github";
import { type TestHub, testHub } from "../hub";
import { openOpenIdProvider, type Claims } from "../openid-provider";
import { serveRequests } from "../serve-requests";

const gitHub = await openGitHub();
const google = await openOpenIdProvider();
const ours = {
  AUTH_GITHUB_ID: "hub",
  AUTH_GITHUB_SECRET: "secret",
  AUTH_GOOGLE_ID: "hub",
  AUTH_GOOGLE_SECRET: "secret",
};
let count = 0;
const newEmail = () => `somebody-${(count += 1)}@example.org`;

/** The product's own providers, with the addresses of the doubles that replace the two services. */
const elsewhere: Record<string, (own: { userinfo?: object }) => object> = {
  github: ({ userinfo }) => ({
    authorization: `${gitHub.url}/login/oauth/authorize`,
    token: `${gitHub.url}/login/oauth/access_token`,
    userinfo: { ...userinfo, url: `${gitHub.url}/user` },
  }),
  google: () => ({ wellKnown: `${google.issuer}/.well-known/openid-configuration` }),
};

function pointed({ providers, ...rest }: AuthOptions): AuthOptions {
  const point = (provider: AuthOptions["providers"][number]) => {
    const options = (provider as { options?: object }).options ?? {};
    return { ...provider, options: { ...options, ...elsewhere[provider.id]?.(options) } };
  };
  return { ...rest, providers: providers.map(point) as AuthOptions["providers"] };
}

/** next-auth with the product's options, as a server of its own. */
async function openSignIn(settings: Record<string, string> = {}): Promise<{ hub: TestHub; url: string }> {
  const hub = await testHub({ ...ours, ...settings });
  const url = await serveRequests((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, url);
    const query = { ...Object.fromEntries(searchParams), nextauth: pathname.split("/").slice(3) };
    const body = Object.fromEntries(new URLSearchParams(await text(request)));
    // The route context of Next's older kind of handler, which works without Next's request scope.
    const requestUrls = Object.assign(request, { query, body, cookies: parse(request.headers.cookie ?? "") });
    const taken = Object.assign(response, {
      status: (code: number) => Object.assign(response, { statusCode: code }),
      json: (value: unknown) => response.setHeader("content-type", "application/json").end(JSON.stringify(value)),
      send: (value: unknown) => response.end(typeof value === "string" ? value : JSON.stringify(value)),
    });
    Object.assign(process.env, { NEXTAUTH_URL: url });
    const signIn = new SignInRequest(hub, { address: null, browser: "Test", device: null });
    await NextAuth(requestUrls as never, taken as never, pointed(authOptions(signIn)));
  }
  return { hub, url };
}

async function come(url: string, service: string, consent: (authorize: string) => URLSearchParams) {
  const browser = newBrowser(url);
  const started = await browser.post(`/api/auth/signin/${service}`, { callbackUrl: "/keys" });
  const { url: authorize } = (await started.json()) as { url: string };
  const callback = await browser.navigate(`/api/auth/callback/${service}?${consent(authorize).toString()}`);
  const location = callback.headers.get("location")!.replace(url, "");
  return { location, email: (await browser.session()).user?.email ?? null };
}

/** Signs a person in by either service, at which they have this subject and this address, verified there or not. */
const services = {
  github: (url: string, subject: number, email: string, verified: boolean, changes: Partial<GitHubUser> = {}) =>
    come(url, "github", (authorize) =>
      gitHub.consent(authorize, {
        id: subject,
        login: "olga",
        email: null,
        emails: [{ email, primary: true, verified }],
        ...changes,
      }),
    ),
  google: (url: string, subject: number, email: string, verified: boolean, changes: Partial<Claims> = {}) =>
    come(url, "google", (authorize) =>
      google.consent(authorize, { sub: String(subject), email, email_verified: verified, ...changes }),
    ),
};

const open = await openSignIn({ SIGN_UP: "open" });
const closed = await openSignIn({ SIGN_UP: "closed" });

for (const [name, visit] of Object.entries(services)) {
  test(`${name} signs in to a new account, and to the same one the next time`, async () => {
    const email = newEmail();
    expect(await visit(open.url, 1, email, true)).toEqual({ location: "/keys", email });
    expect(await visit(open.url, 1, newEmail(), false)).toEqual({ location: "/keys", email });
    const [{ accounts }] = (await open.hub.db.query<{ accounts: bigint }>(
      "SELECT count(*) AS accounts FROM account WHERE email = $1",
      [email],
    )) as [{ accounts: bigint }];
    expect(accounts).toBe(1n);
  });

  test(`${name} signs in to no account by an unverified address`, async () => {
    const known = newEmail();
    await createAccount(open.hub, { email: known, verified: true });
    for (const email of [known, newEmail()]) {
      expect(await visit(open.url, 2, email, false)).toEqual({ location: "/sign-in?error=unverified", email: null });
    }
  });

  test(`${name} signs in to an existing account only if its address is verified here too`, async () => {
    const [proved, claimed] = [newEmail(), newEmail()];
    await createAccount(open.hub, { email: proved, verified: true });
    await signUp(open.hub, { email: claimed, password: "correct horse" }, null);
    expect(await visit(open.url, 3, proved, true)).toEqual({ location: "/keys", email: proved });
    expect(await visit(open.url, 4, claimed, true)).toEqual({ location: "/sign-in?error=taken", email: null });
  });

  test(`${name} creates no account if sign-up is closed`, async () => {
    expect(await visit(closed.url, 5, newEmail(), true)).toEqual({ location: "/sign-in?error=closed", email: null });
    const known = newEmail();
    await createAccount(closed.hub, { email: known, verified: true });
    expect(await visit(closed.url, 5, known, true)).toEqual({ location: "/keys", email: known });
  });
}

test("ignores a GitHub profile's public, secondary or private addresses", async () => {
  const existingAccount = newEmail();
  await createAccount(open.hub, { email: existingAccount, verified: true });
  const own = { email: newEmail(), primary: true, verified: false };
  const profiles: Partial<GitHubUser>[] = [
    { email: existingAccount, emails: [own] },
    { email: existingAccount, emails: [own, { email: existingAccount, primary: false, verified: true }] },
    { email: existingAccount, emails: [] },
    { email: existingAccount, emails: null },
  ];
  for (const profile of profiles) {
    const { location } = await services.github(open.url, 6, existingAccount, true, profile);
    expect(location).toBe("/sign-in?error=unverified");
  }
});

test("accepts only a boolean true as Google's email_verified", async () => {
  for (const lookalike of ["true", 1, undefined]) {
    const changes = { email_verified: lookalike as unknown as boolean };
    const { location } = await services.google(open.url, 7, newEmail(), true, changes);
    expect(location).toBe("/sign-in?error=unverified");
  }
});

test("a session that still needs a second factor keeps its cookie, and knows how the person signed in", async () => {
  const strict = await openSignIn({ SIGN_UP: "open", SECOND_FACTOR: "required" });
  const email = newEmail();
  // The second of these requests renews the cookie.
  expect(await services.google(strict.url, 6, email, true)).toEqual({ location: "/keys", email });
  const sessions = await strict.hub.db.query<{ id: string; first_step: string }>("SELECT id, first_step FROM session");
  expect(sessions).toMatchObject([{ first_step: "identity" }]);
  const seconds = Math.floor(strict.hub.now().getTime() / 1000);
  const claims = { sessionId: sessions[0]!.id, began: seconds, seen: seconds };
  expect(await findSession(strict.hub, claims)).toMatchObject({ stage: "enrol", person: { email } });
  expect(await resolveSession(strict.hub, claims)).toBeNull();
});
