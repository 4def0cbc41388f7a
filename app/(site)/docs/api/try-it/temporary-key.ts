"use client";

import { useEffect } from "react";
import { createSender } from "../../../../trpc/send-calls";

interface TemporaryKey {
  id: string;
  key: string;
}

/** A little less than its lifetime at the hub. */
const LIFETIME_MS = 9.5 * 60_000;

const send = createSender((...request) => fetch(...request));

/** The key of this tab, which the forms of all operations share. */
let current: { made: Promise<TemporaryKey>; until: number } | null = null;

/** Returns a temporary key of the account, made with the console's session. Throws if the hub rejects that. */
export async function getTemporaryKey(): Promise<string> {
  if (!current || current.until < Date.now()) {
    const made = send({ type: "mutation", path: "keys.createTemporary", input: undefined }) as Promise<TemporaryKey>;
    current = { made, until: Date.now() + LIFETIME_MS };
    void made.catch(() => (current = null));
  }
  return (await current.made).key;
}

/** Revokes the key of this tab, even while the page unloads. */
function revokeTemporaryKey(): void {
  const left = current;
  current = null;
  const revoke = ({ id }: TemporaryKey) =>
    fetch(`/api/v1/hub/keys/${id}`, {
      method: "DELETE",
      headers: { "X-Requested-With": "XMLHttpRequest" },
      keepalive: true,
    });
  // A key that is not revoked expires soon.
  void left?.made.then(revoke).catch(() => undefined);
}

/** Revokes the temporary key when the reference is left. */
export function RevokeOnLeave() {
  useEffect(() => {
    window.addEventListener("pagehide", revokeTemporaryKey);
    return () => {
      window.removeEventListener("pagehide", revokeTemporaryKey);
      revokeTemporaryKey();
    };
  }, []);
  return null;
}
