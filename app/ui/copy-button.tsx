"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";

interface Props {
  text: string;
  label?: string;
  /** Names the row in a list, for screen readers only. */
  subject?: string;
  /** Hides the label visually: always, or on phones only. */
  iconOnly?: boolean | "phone";
  className?: string;
}

const styles = {
  always: { kind: "ghost", button: "px-2", label: "sr-only" },
  phone: { kind: "quiet", button: "max-sm:px-2", label: "max-sm:sr-only" },
  never: { kind: "quiet", button: "", label: "" },
} as const;

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, label = "Copy", subject, iconOnly = false, className = "" }: Props) {
  const [copied, setCopied] = useState(false);
  const bare = iconOnly === "phone" ? "phone" : iconOnly ? "always" : "never";
  const look = styles[bare];
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      kind={look.kind}
      className={`${look.button} ${className}`}
      title={bare === "always" ? label : undefined}
      onClick={() => void copy(text).then(setCopied)}
    >
      {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <span aria-live="polite" className={look.label}>
        {copied ? "Copied" : label}
      </span>
      {subject && <span className="sr-only"> of {subject}</span>}
    </Button>
  );
}

// Browsers hide the clipboard from pages served over plain http by another machine.
const copy = (text: string): Promise<boolean> =>
  navigator.clipboard ? navigator.clipboard.writeText(text).then(() => true, () => false) : Promise.resolve(false); // prettier-ignore
