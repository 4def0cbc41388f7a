"use client";

import { usePathname } from "next/navigation";
import { useState } from "react";
import type { Credential } from "../../../../code-samples/sample-request";
import { Button } from "../../../../ui/button";
import { TextField } from "../../../../ui/form";
import { Link } from "../../../../ui/link";
import { setToken, useTokens } from "./tokens";

interface Props {
  credential: Credential;
  acceptsSession: boolean;
  isSignedIn: boolean;
}

const secrets = {
  key: { label: "API key", prefix: "service_sk_…" },
  worker: { label: "Worker token", prefix: "service_wk_…" },
  operator: { label: "Operator token", prefix: "service_ok_…" },
};

/** Chooses what a request authenticates with: the session where it is accepted, else a secret kept in memory. */
export function CredentialField({ credential, acceptsSession, isSignedIn }: Props) {
  const tokens = useTokens();
  const here = usePathname();
  if (credential === "session") {
    return (
      <p className="text-sm leading-6 text-soft">
        {isSignedIn ? (
          "Sent with your console session."
        ) : (
          <>
            Only a console session is accepted: <Link href={`/sign-in?next=${encodeURIComponent(here)}`}>sign in</Link>.
          </>
        )}
      </p>
    );
  }
  const { label, prefix } = secrets[credential];
  const isOptional = acceptsSession && isSignedIn;
  return (
    <div className="grid gap-2">
      <TextField
        label={isOptional ? `${label} (optional)` : label}
        hint={`Kept in this tab's memory until you reload. ${isOptional ? "Without it, your console session is used." : ""}`}
        placeholder={prefix}
        value={tokens[credential]}
        onChange={(event) => setToken(credential, event.target.value)}
        maxLength={200}
        // A password field would offer to save the key.
        style={{ WebkitTextSecurity: "disc" } as object}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      {credential === "key" && isSignedIn && !tokens.key && <TemporaryKey />}
    </div>
  );
}

function TemporaryKey() {
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const create = async () => {
    setBusy(true);
    const key = await createTemporaryKey().catch(() => null);
    setBusy(false);
    setFailed(key === null);
    if (key !== null) setToken("key", key);
  };
  return (
    <div className="grid justify-items-start gap-1.5">
      <Button busy={busy} onClick={() => void create()}>
        Create temporary key
      </Button>
      <p role={failed ? "alert" : undefined} className={`text-xs leading-5 ${failed ? "text-danger" : "text-soft"}`}>
        {failed
          ? "The key could not be created. Try again, or create one under API keys."
          : `Expires in one hour and can spend €${TEMPORARY_LIMIT_EUR} at most.`}
      </p>
    </div>
  );
}

const LIFETIME_MS = 3_600_000;
/** What the key can spend at most. */
const TEMPORARY_LIMIT_EUR = 1;

/** Creates an API key for this page with the console's session, and returns it. Throws if the hub rejects it. */
async function createTemporaryKey(): Promise<string> {
  const response = await fetch("/api/v1/hub/keys", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Requested-With": "XMLHttpRequest" },
    body: JSON.stringify({
      name: "API reference (temporary)",
      expires_at: new Date(Date.now() + LIFETIME_MS).toISOString(),
      spend_limit: TEMPORARY_LIMIT_EUR,
    }),
  });
  if (!response.ok) throw new Error(`The hub responded with ${response.status}.`);
  return ((await response.json()) as { key: string }).key;
}
