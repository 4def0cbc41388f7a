"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { announce } from "./announce";
import { Button, type ButtonKind } from "./button";
import { copyText } from "./copy-text";
import { ManualCopy } from "./manual-copy";
import { useFocusOnMount } from "./use-focus-on-mount";

interface Props {
  text: string;
  label?: string;
  /** Names the row in a list, for screen readers only. */
  subject?: string;
  /** Hides the label visually: always, or on phones only. */
  iconOnly?: boolean | "phone";
  kind?: ButtonKind;
  className?: string;
  /** Gives the button the focus when it appears. */
  focusOnMount?: boolean;
  onCopied?: () => void;
}

const styles = {
  always: { kind: "ghost", button: "px-2", label: "sr-only" },
  phone: { kind: "quiet", button: "max-sm:px-2", label: "max-sm:sr-only" },
  never: { kind: "quiet", button: "", label: "" },
} as const;

const styleOf = (iconOnly: boolean | "phone") =>
  iconOnly === "phone" ? styles.phone : iconOnly ? styles.always : styles.never;

const CONFIRMATION_MS = 2_000;

/** Copies a text to the clipboard and confirms it; where the browser forbids that, selects the text to copy by hand. */
export function CopyButton({ text, label = "Copy", subject, iconOnly = false, className = "", ...props }: Props) {
  const { kind, focusOnMount = false, onCopied } = props;
  const [state, setState] = useState<"idle" | "copied" | "manual">("idle");
  const button = useFocusOnMount<HTMLButtonElement>(focusOnMount);
  const style = styleOf(iconOnly);
  useEffect(() => {
    if (state !== "copied") return;
    const timer = setTimeout(() => setState("idle"), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const confirm = () => {
    setState("copied");
    announce("Copied");
    onCopied?.();
  };
  const copy = async () => {
    if (await copyText(text, button.current!)) confirm();
    else setState("manual");
  };
  return (
    <>
      <Button
        ref={button}
        kind={kind ?? style.kind}
        className={`${style.button} ${className}`}
        title={style === styles.always ? label : undefined}
        onClick={() => void copy()}
      >
        {state === "copied" ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        <span className={style.label}>{state === "copied" ? "Copied" : label}</span>
        {subject && <span className="sr-only"> of {subject}</span>}
      </Button>
      {state === "manual" && (
        <ManualCopy
          text={text}
          onCopied={() => {
            button.current?.focus();
            confirm();
          }}
          onClose={() => setState((now) => (now === "manual" ? "idle" : now))}
        />
      )}
    </>
  );
}
