"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";

interface Props {
  text: string;
  label?: string;
  /** For rows: the label is only read out. */
  iconOnly?: boolean;
  className?: string;
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label = "Copy", iconOnly, className = "" }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      kind={iconOnly ? "ghost" : "quiet"}
      className={`${iconOnly ? "px-2" : ""} ${className}`}
      title={iconOnly ? label : undefined}
      onClick={() => void copy(text).then(setCopied)}
    >
      {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <span aria-live="polite" className={iconOnly ? "sr-only" : ""}>
        {copied ? "Copied" : label}
      </span>
    </Button>
  );
}

// Browsers keep the clipboard from pages that came over plain http from another machine.
const copy = (text: string): Promise<boolean> =>
  navigator.clipboard ? navigator.clipboard.writeText(text).then(() => true, () => false) : Promise.resolve(false); // prettier-ignore
