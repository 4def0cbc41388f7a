import type { Page } from "@playwright/test";
import { findBrowser } from "./browser";
import { queryHub } from "./query-hub";

/**
 * Gives the page an authenticator that answers at once, as a person with a fingerprint would: Chromium's own where the
 * browser has one. The headless shell of the npm package crashes on every passkey, so there Playwright answers in its place.
 */
export async function addAuthenticator(page: Page): Promise<void> {
  if ((await findBrowser()).includes("node_modules")) return page.context().credentials.install();
  const client = await page.context().newCDPSession(page);
  await client.send("WebAuthn.enable");
  await client.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/**
 * Lets a person who has signed in act as if they had given a second factor, which operators and auditors need. They have an
 * app that nobody has, so call it again after they sign in anew.
 */
export async function giveSecondFactor({ dataDir }: { dataDir: string }, email: string): Promise<void> {
  await queryHub(
    dataDir,
    `WITH app AS (
       INSERT INTO totp (person_id, secret, added_at, last_step) SELECT id, '\\x00', now(), 0 FROM person WHERE email = $1
       ON CONFLICT DO NOTHING)
     UPDATE session SET verified_at = now() FROM person p WHERE p.id = session.person_id AND p.email = $1`,
    [email],
  );
}
