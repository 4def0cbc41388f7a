"use client";

import { Check, Copy } from "lucide-react";
import { type ClipboardEvent, useEffect, useId, useState } from "react";
import { announce } from "./announce";
import { Button, type ButtonKind } from "./button";
import { TextArea } from "./controls";
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
        {subject && <span className="sr-only">{state === "copied" ? ` ${subject}` : ` of ${subject}`}</span>}
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

/** Copies a text to the clipboard. `source` is the element that asks for it. Returns whether it was copied. */
async function copyText(text: string, source: Element): Promise<boolean> {
  // Browsers hide the clipboard from pages served over plain http by another machine.
  if (navigator.clipboard) {
    const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false); // prettier-ignore
    if (isCopied) return true;
  }
  return copySelection(text, source);
}

function copySelection(text: string, source: Element): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "sr-only";
  const focused = document.activeElement;
  // A dialog would take the focus back from an element outside it.
  (source.closest("[role=dialog], [role=alertdialog]") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

/** Returns how to copy a selected text on this device. */
function describeCopy(): string {
  if (matchMedia("(pointer: coarse)").matches) return "Touch and hold the text to copy it";
  return `Press ${navigator.userAgent.includes("Mac") ? "⌘C" : "Ctrl+C"} to copy`;
}

interface ManualCopyProps {
  text: string;
  onCopied: () => void;
  onClose: () => void;
}

/** Shows a selected text and the keys that copy it, until it is copied or left. */
function ManualCopy({ text, onCopied, onClose }: ManualCopyProps) {
  const id = useId();
  const area = useFocusOnMount<HTMLTextAreaElement>();
  const copied = (event: ClipboardEvent) => {
    event.stopPropagation();
    // The browser reads the selection after this event.
    setTimeout(onCopied);
  };
  return (
    <span className="fixed inset-x-4 bottom-4 z-60 mx-auto grid max-w-md gap-2 rounded-xl border border-line bg-raised p-4 text-left whitespace-normal shadow-raised">
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {describeCopy()}
      </label>
      <TextArea
        ref={area}
        id={id}
        readOnly
        value={text}
        rows={3}
        className="w-full rounded-lg border border-strong-line bg-sunken px-3 py-2 font-mono text-sm text-ink"
        onFocus={({ currentTarget }) => currentTarget.select()}
        onCopy={copied}
        onBlur={onClose}
      />
    </span>
  );
}
