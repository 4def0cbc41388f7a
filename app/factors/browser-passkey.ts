"use client";

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";

/** Why the browser neither created nor used a passkey, as a text for people. */
class PasskeyError extends Error {
  override name = "PasskeyError";
}

/** Lets the browser create a passkey. Throws PasskeyError with what to do. */
export async function createBrowserPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await importPasskeys();
  return startRegistration({ optionsJSON }).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === "InvalidStateError";
    throw new PasskeyError(
      isKnown
        ? "This device already has a passkey for your account."
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
  // Browsers support passkeys only on https and localhost.
  if (!window.isSecureContext || !window.PublicKeyCredential)
    throw new PasskeyError("This browser can’t use passkeys on this page. Open the hub over https.");
  return import("@simplewebauthn/browser").catch(() => {
    throw new PasskeyError("Part of this page couldn’t be loaded. Check your connection.");
  });
}

/** Returns the message of a passkey error; null for any other error. */
export const describePasskeyError = (error: unknown): string | null =>
  error instanceof PasskeyError ? error.message : null;
