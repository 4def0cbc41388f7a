"use client";

import { useState } from "react";
import { Button } from "../ui/button";
import { CopyButton } from "../ui/copy-button";
import { useDialogLock } from "../ui/dialog-lock";

/** Renders new recovery codes, shown once. A dialog around them stays open until they are copied, saved or dismissed. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const [isSaved, setSaved] = useState(false);
  useDialogLock(!isSaved);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="grid gap-4">
      <p className="rounded-lg bg-warning-wash px-3 py-2 text-sm text-warning">
        Store these recovery codes safely. You won’t see them again. Each lets you sign in once without your second
        factor.
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-3 gap-y-1.5 rounded-lg border border-line bg-sunken px-3 py-3 font-mono text-xs whitespace-nowrap sm:text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <CopyButton text={text} label="Copy codes" onCopied={() => setSaved(true)} />
        <Button
          onClick={() => {
            downloadText("generation-hub-recovery-codes.txt", text);
            setSaved(true);
          }}
        >
          Download
        </Button>
        <Button kind="primary" onClick={onDone}>
          {isSaved ? "Done" : "I have saved them"}
        </Button>
      </div>
    </div>
  );
}

function downloadText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
