import type { Page } from "@playwright/test";
import { findBrowser } from "./browser";
import { queryHub } from "./query-hub";

/**
 * Gives the page an authenticator that confirms immediately, as a person with a fingerprint would: Chromium's own if the
 * browser has one. The headless shell of the npm package crashes on every passkey, so there Playwright answers instead.
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
 * Marks the sessions of a person as confirmed by a second factor, which operators and auditors need. The factor is an app
 * that nobody has, so call it again after the next sign-in.
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
