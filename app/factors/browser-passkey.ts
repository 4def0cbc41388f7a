"use client";

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** What the browser says when a passkey is neither created nor used. */
export class PasskeyError extends Error {
  override name = "PasskeyError";
}

/** Lets the browser create a passkey. Throws PasskeyError with what to do. */
export async function createBrowserPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await importPasskeys();
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === "InvalidStateError";
    throw new PasskeyError(
      isKnown
        ? "This device has a passkey for your account already."
        : "No passkey was created. Try again, or choose another device.",
    );
  });
}

/** Lets the browser use a passkey. Throws PasskeyError with what to do. */
export async function getBrowserPasskey(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await importPasskeys();
  return startAuthentication({ optionsJSON }).catch(() => {
    throw new PasskeyError("No passkey was used. Try again, or use another way.");
  });
}

/** Loads the library when it is used; most pages never do. */
async function importPasskeys() {
  // A browser offers passkeys to https and localhost alone.
  if (!window.isSecureContext || !window.PublicKeyCredential)
    throw new PasskeyError("This browser can’t use passkeys on this page. Open the hub by https.");
  return import("@simplewebauthn/browser").catch(() => {
    throw new PasskeyError("Part of this page couldn’t be loaded. Check your connection.");
  });
}

/** Returns the text of an error of a passkey; null for another one, which the hub explains. */
export const describePasskeyError = (error: unknown): string | null =>
  error instanceof PasskeyError ? error.message : null;
