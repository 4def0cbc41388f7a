"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";

interface Props {
  text: string;
  label?: string;
  /** For rows: the label is only read out, always or where there is little room. */
  iconOnly?: boolean | "phone";
  className?: string;
}

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label = "Copy", iconOnly, className = "" }: Props) {
  const [copied, setCopied] = useState(false);
  const isBare = iconOnly === true;
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      kind={isBare ? "ghost" : "quiet"}
      className={`${isBare ? "px-2" : iconOnly ? "max-sm:px-2" : ""} ${className}`}
      title={isBare ? label : undefined}
      onClick={() => void copy(text).then(setCopied)}
    >
      {copied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      <span aria-live="polite" className={isBare ? "sr-only" : iconOnly ? "max-sm:sr-only" : ""}>
        {copied ? "Copied" : label}
      </span>
    </Button>
  );
}

// Browsers keep the clipboard from pages that came over plain http from another machine.
const copy = (text: string): Promise<boolean> =>
  navigator.clipboard ? navigator.clipboard.writeText(text).then(() => true, () => false) : Promise.resolve(false); // prettier-ignore
