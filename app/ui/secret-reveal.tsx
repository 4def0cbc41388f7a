"use client";

import { useState } from "react";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { useDialogLock } from "./dialog-lock";

export type SecretKind = "code" | "key" | "link" | "secret" | "token";

interface Props {
  what: SecretKind;
  secret: string;
  onDone: () => void;
}

/**
 * Renders a new secret, shown once with a copy button. The dialog around it stays open until the secret was copied or the
 * person confirms that it is saved.
 */
export function SecretReveal({ what, secret, onDone }: Props) {
  const [isCopied, setCopied] = useState(false);
  useDialogLock(!isCopied);
  return (
    <div className="grid gap-4">
      <p className="rounded-lg bg-warning-wash px-3 py-2 text-sm text-warning">
        Copy it now and store it safely. You won’t see it again.
      </p>
      <code
        tabIndex={0}
        aria-label={`New ${what}`}
        className="rounded-lg border border-line bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all"
        onCopy={() => setCopied(true)}
      >
        {secret}
      </code>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton
          text={secret}
          label={`Copy ${what}`}
          kind={isCopied ? "quiet" : "primary"}
          focusOnMount
          onCopied={() => setCopied(true)}
        />
        <Button kind={isCopied ? "primary" : "quiet"} onClick={onDone}>
          {isCopied ? "Done" : "I have saved it"}
        </Button>
      </div>
    </div>
  );
}
