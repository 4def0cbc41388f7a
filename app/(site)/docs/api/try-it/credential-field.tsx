"use client";

import { usePathname } from "next/navigation";
import type { Credential } from "../../../../code-samples/sample-request";
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

const TEMPORARY =
  "Without it, a temporary key of your account is used: it lasts 10 minutes, spends €0.50 at most, and is revoked when you leave.";

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
  const isOptional = isSignedIn && (acceptsSession || credential === "key");
  const otherwise = acceptsSession ? "Without it, your console session is used." : TEMPORARY;
  return (
    <TextField
      label={isOptional ? `${label} (optional)` : label}
      hint={`Kept in this tab's memory until you reload. ${isOptional ? otherwise : ""}`}
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
  );
}
